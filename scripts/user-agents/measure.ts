/** Compares our classification of user agents with fixtures. */
import { isBot } from '../../operations/sites/crawlers/user-agents/bots.ts'
import { parseUserAgent } from '../../operations/sites/collection/enrich/user-agent.ts'
import type { Device } from '../../storage/engine/vocabulary/devices.ts'
import type { Fixture } from './fixtures.ts'

/** Clients that a person looks at pages with. Feed readers, libraries and players fetch without anyone looking. */
const CLIENTS: ReadonlySet<string> = new Set(['browser', 'mobile app'])

/** Our devices for device-detector's. Those without a row are not compared. */
const DEVICES: ReadonlyMap<string, readonly Device[]> = new Map([
  ['desktop', ['desktop']],
  ['smartphone', ['mobile']],
  ['phablet', ['mobile']],
  ['feature phone', ['mobile']],
  ['portable media player', ['mobile']],
  ['camera', ['mobile']],
  ['tablet', ['tablet']],
  ['tv', ['tv']],
  ['console', ['console']],
  ['wearable', ['wearable']],
  ['car browser', ['embedded']],
  ['smart display', ['embedded']],
  ['smart speaker', ['embedded']],
])

interface Count {
  right: number
  readonly wrong: string[]
}
/** By name: `bots dropped`, `people kept`, `device`, and the device of each kind. */
export type Measured = ReadonlyMap<string, Count>

export function measure(fixtures: readonly Fixture[]): Measured {
  const counts = new Map<string, Count>()
  const count = (name: string, isRight: boolean, shown: string) => {
    const kept = counts.get(name) ?? { right: 0, wrong: [] }
    counts.set(name, kept)
    if (isRight) kept.right += 1
    else kept.wrong.push(shown)
  }
  for (const { userAgent, isBot: isMachine, client, device } of fixtures) {
    if (isMachine) {
      count('bots dropped', isBot(userAgent), userAgent)
      continue
    }
    if (!CLIENTS.has(client)) continue
    const expected = DEVICES.get(device)
    if (!expected) continue
    count('people kept', !isBot(userAgent), userAgent)
    const found = parseUserAgent(userAgent).device
    const isRight = expected.some(each => each === found)
    for (const name of ['device', `  ${device}`]) count(name, isRight, `${found || '(none)'}: ${userAgent}`)
  }
  return counts
}

export function report(measured: Measured, showsWrong: boolean): string {
  return [...measured]
    .flatMap(([name, { right, wrong }]) => {
      const all = right + wrong.length
      const line = `${name.padEnd(24)} ${String(right).padStart(6)} of ${String(all).padStart(6)}  ${((100 * right) / all).toFixed(2)} %`
      return showsWrong && name !== 'device' ? [line, ...wrong.map(each => `    ${each}`)] : [line]
    })
    .join('\n')
}
