/** Made-up traffic, the same each time. */
const DAY = 86_400_000

/** Hits of two months, or of fewer days, with everything in them that a hit can have. */
export function traffic(count: number, now: number, days = 60): string {
  let state = 11
  const next = (max: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % max
  }
  const pick = <T>(values: readonly T[]): T => values[next(values.length)] as T
  const lines: { at: string; text: string }[] = []
  const add = (line: { timestamp: string } & Record<string, unknown>) => lines.push({ at: line.timestamp, text: JSON.stringify(line) })
  while (lines.length < count) {
    let at = now - days * DAY + next(days - 1) * DAY + next(1_440) * 60_000 + next(60_000)
    const visitor = `v${next(400)}`
    const shared = {
      visitor,
      country: pick(['DE', 'FR', '', 'US']),
      region: pick(['', 'DE-BE']),
      city: pick(['', 'Berlin', "O'Fallon"]),
      referrer: pick([
        '',
        'https://www.google.com/search?q=x',
        'https://blog.example.org/a/b/',
        'android-app://com.google.android.gm',
        'https://t.co/xy',
      ]),
      utm_campaign: pick(['', '', 'spring "sale", 2', '=cmd()', '+1']),
      utm_source: pick(['', '', 'newsletter', 'google']),
      utm_medium: pick(['', 'cpc', 'email']),
      browser: pick(['Firefox', 'Chrome', 'Safari']),
      browser_version: String(next(130)),
      os: pick(['Windows', 'macOS', 'Linux']),
      device: pick(['desktop', 'mobile', 'tablet', 'tv', '']),
      screen: pick(['', '1920x1080']),
      language: pick(['de-DE', 'en', '']),
      hostname: pick(['', 'shop.example.com']),
    }
    for (let hits = 1 + next(5); hits > 0; hits--) {
      const url = pick(['/', `/p${next(6)}`, '/café au lait', '/a?gclid=1', '/x%25y', '//double', '/100% sure'])
      const event = next(5) === 0
      add({
        ...shared,
        timestamp: new Date(at).toISOString(),
        url,
        name: event ? pick(['Signup', 'Buy, now', 'Ünï']) : 'pageview',
        ...(event && next(2) === 0 && { interactive: false }),
        ...(event && next(2) === 0 && { revenue: { amount: next(10_000) / 100 - 20, currency: 'EUR' } }),
        ...(next(3) === 0 && {
          props: { plan: pick(['pro', '=1+1', '12.50']), weird: pick(['a"b', 'x\ny', "'q"]), email: 'secret@example.com' },
        }),
        ...(!event && next(2) === 0 && { scroll: next(100), engaged_ms: next(300_000) }),
      })
      if (next(4) === 0) {
        at += next(28) * 60_000
        add({ ...shared, timestamp: new Date(at).toISOString(), url, name: 'engagement', engaged_ms: 5_000, scroll: 50 })
      }
      at += next(40) * 60_000
    }
  }
  // In order of time, as hits come: what an engagement belongs to depends on what came before it.
  lines.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return lines.map(({ text }) => text).join('\n')
}
