/** What a page costs over the JSON that it shows, one request after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { hits } from './hits.ts'
import { load, median } from './load.ts'
import type { BenchServer } from './running.ts'

const paths = [
  ['overview', '?compare=previous_period&panels=source,page,country,browser,goal'],
  ['breakdown/page', '?limit=50'],
  ['goals', ''],
] as const

/** @returns a line for each page */
export async function pages({ address, site_id, token, sign_in }: BenchServer): Promise<string[]> {
  await load(`${address}/api/event`, { seconds: 5, connections: 64, requests: hits() })
  await sleep(3_000) // what is cached of today's figures is a few seconds old
  const cookie = await signIn(address, sign_in)
  const lines: string[] = []
  for (const [page, query] of paths) {
    const path = `${address}/sites/${site_id}/${page}`
    const times = { html: [] as number[], json: [] as number[] }
    let size = 0
    for (let i = 0; i < 250; i++) {
      const html = await timed(path, { Accept: 'text/html', Cookie: cookie })
      const json = await timed(`${path}.json${query}`, { Authorization: `Bearer ${token}` })
      size = html.size
      if (i < 50) continue
      times.html.push(html.ms)
      times.json.push(json.ms)
    }
    const [html, json] = [median(times.html), median(times.json)]
    lines.push(
      `${page}: ${html.toFixed(2)} ms, ${Math.round(size / 1024)} KB · json ${json.toFixed(2)} ms · ratio ${(html / json).toFixed(2)}`,
    )
  }
  return lines
}

/** With the link that setting up printed. */
async function signIn(address: string, link: string): Promise<string> {
  const answer = await fetch(`${address}${link}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ email: 'bench@example.com', password: 'only for the benchmark' }),
  })
  const cookies = answer.headers.getSetCookie().map(line => line.replace(/;.*/, ''))
  if (cookies.length === 0) throw new Error(`signing in answered ${answer.status}`)
  return cookies.join('; ')
}

async function timed(url: string, headers: Readonly<Record<string, string>>): Promise<{ ms: number; size: number }> {
  const began = performance.now()
  const answer = await fetch(url, { headers })
  const { byteLength } = await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${answer.status} ${url}`)
  return { ms: performance.now() - began, size: byteLength }
}
