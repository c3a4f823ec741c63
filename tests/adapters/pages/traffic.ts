/** Two weeks of visits of the example site, some of whose texts are not harmless. */
import type { TestService, World } from '../../support/world.ts'
import { hit, type Sent, store } from '../../storage/engine/traffic.ts'

const HOUR = 3_600_000
export const naughty = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'

export async function sendTraffic(service: TestService, { siteNumber }: World): Promise<void> {
  const { now } = service.clock
  const pages = ['/', '/pricing', `/${naughty}`]
  const sent = Array.from(
    { length: 150 },
    (_, i): Sent => ({
      who: `v${i % 40}`,
      at: now - 14 * 24 * HOUR + i * 2 * HOUR,
      page: pages[i % 3] ?? '/',
      ...(i % 10 === 0 && { event: naughty }),
      visit: { country: ['DE', 'FR', ''][i % 3] ?? '', utm_campaign: i % 4 ? '' : naughty, browser: 'Firefox' },
    }),
  )
  const site = { number: siteNumber, timezone: 'UTC' }
  await store(
    service.store,
    sent.map(one => hit(site, one)),
    7,
  )
}
