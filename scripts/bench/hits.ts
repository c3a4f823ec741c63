/** Hits of many visitors on many pages, in the format of our own script. */
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
]

/** @param domain of the site; a visitor sees three pages of it */
export function hits(domain = 'bench.example.com'): () => { body: string; headers: Record<string, string> } {
  let n = 0
  return () => {
    n++
    const visitor = Math.floor(n / 3) % 50_000
    return {
      headers: {
        'Content-Type': 'text/plain',
        'User-Agent': agents[visitor % agents.length] ?? '',
        'X-Forwarded-For': `81.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`,
      },
      body: JSON.stringify({
        n: 'pageview',
        d: domain,
        u: `https://${domain}/blog/post-${(n * 7919) % 2000}?utm_source=${n % 9 === 0 ? 'newsletter' : ''}`,
        r: n % 4 === 0 ? 'https://www.google.com/' : '',
        w: 1440,
        l: 'de-DE',
      }),
    }
  }
}
