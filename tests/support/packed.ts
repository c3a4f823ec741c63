/**
 * `PACKED=1 npm test -- tests/…` packs all sealed days before each request of a test, so that whatever the test asks is answered
 * from blocks, and whatever it changes brings rows back.
 */
import { engine } from '../../operations/reports/stats/engine.ts'
import type { Web } from '../../adapters/http/web.ts'
import type { App } from '../../runtime/app.ts'
import { haveRows } from '../../storage/moved-days/moving.ts'

const HOUR = 3_600_000
/** After that time a day that was changed or read is packed again. */
const LATER = 7 * HOUR

export function packsFirst(app: App, web: Web): Web {
  if (process.env.PACKED !== '1' || app.store.cluster) return web
  const { request } = web
  let before: Promise<unknown> = Promise.resolve()
  web.request = async (...given: Parameters<typeof request>) => {
    await (before = before.then(() => packAll(app)))
    return request.apply(web, given)
  }
  return web
}

/** Packs all sealed days, also those that were changed or read in the last hours. */
export async function packAll({ use, now }: Pick<App, 'use' | 'now'>): Promise<void> {
  const { signal } = new AbortController()
  const failed = (_: unknown, error: unknown) => {
    throw error
  }
  while (await use(engine).sealDays({ now, signal, minVisitors: 0, failed })) {}
  while (
    await use(engine).packDays({
      now: () => now() + LATER,
      graceMs: LATER,
      maxRestMs: 0,
      signal,
      failed,
      runs: { afterMs: 0, leastDays: 1 },
    })
  ) {}
}

/** Brings the rows of a site back into their tables, for a test that reads these. */
export async function rowsBack({ store, now }: Pick<App, 'store' | 'now'>, site: number): Promise<void> {
  const days = await store.read.selectFrom('site_days').select('day').where('site_id', '=', site).execute()
  for (const { day } of days) await haveRows(store, { site, day }, now())
}
