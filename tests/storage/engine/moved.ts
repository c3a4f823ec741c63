/** A day of traffic whose rows leave the tables: what reports and rows say of it. */
import { openEngine, type Query } from '../../../storage/engine/index.ts'
import { rowTables } from '../../../storage/moved-days/moving.ts'
import type { Store } from '../../../storage/store.ts'
import type { Sent } from './traffic.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export const day = Date.parse('2026-05-05') / DAY_MS
export const at = (minutes: number) => day * DAY_MS + minutes * 60_000
export const now = at(20 * 1440)
export const signal = new AbortController().signal
export const failed = (_: unknown, error: unknown) => {
  throw error
}

export const sent: readonly Sent[] = [
  ...Array.from(
    { length: 40 },
    (_, i): Sent => ({ at: at(i * 20), who: `10.0.0.${i % 9}`, page: `/${i % 5}`, visit: { country: ['DE', 'FR', ''][i % 3] ?? '' } }),
  ),
  { at: at(61), who: '10.0.0.3', event: 'signup', page: '/3', revenue: 1999, props: { plan: 'pro', price: 12.5 } },
  { at: at(62), who: '10.0.0.3', event: 'signup', page: '/3', revenue: -500, props: { plan: 'free' } },
  { at: at(63), who: '10.0.0.3', event: 'buy', page: '/3', interactive: false },
  { at: at(64), who: '10.0.0.3', kind: 'engagement', page: '/3', engagedMs: 4_000, scroll: 80 },
  { at: at(65), who: '10.0.0.3', kind: 'vitals', page: '/3', vitals: { lcp: 2_100, cls: 0.13 } },
  { at: at(66), who: '10.9.9.9', kind: 'vitals', page: '/3', vitals: { inp: 90 } },
  { at: at(67), who: '10.0.0.3', kind: 'clicks', page: '/3', clicks: [{ selector: '#a', x: 4_000, y: 700 }] },
]

export const span = { fromDay: day - 2, toDay: day + 2, from: at(-2 * 1440), to: at(3 * 1440), whole: true }
export const where = [{ dimension: 'country', operator: 'is_not' as const, values: ['FR'], pointer: '' }]
export const asked: readonly Query['asked'][] = [
  { report: 'totals', series: [[span]] },
  ...['page', 'event', 'country', 'property:plan'].map(
    dimension => ({ report: 'breakdown', dimension, span, compared: null, sort: 'visitors', offset: 0, limit: 50 }) as const,
  ),
  { report: 'vitals', spans: [span], page: null },
  { report: 'clicks', path: '/3', span, elements: 9, parts: 9 },
  { report: 'visits', day },
  { report: 'erasure', span, hits: null, before: Infinity, withIds: true },
  { report: 'erasure', span, hits: [{ dimension: 'page', operator: 'is', values: ['/3'], pointer: '' }], before: at(70), withIds: true },
]

/** Every answer of an engine that has cached nothing. */
export async function answers(store: Store, site: number): Promise<unknown[]> {
  const engine = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
  const found: unknown[] = []
  for (const one of asked)
    for (const conditions of [[], where]) found.push(await engine.query({ site, where: conditions, goals: [], asked: one }))
  await engine.close()
  return found
}

export async function rowsOf({ read }: Store, site: number): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const table of rowTables) {
    const rows: Record<string, unknown>[] = await read.selectFrom(table).selectAll().where('site_id', '=', site).execute()
    found[table] = rows.map(({ rev: _, ...row }) => JSON.stringify(row, Object.keys(row).sort())).sort() // of the day at which a visit changed
  }
  return found
}
export const countOf = async (store: Store, site: number) => Object.values(await rowsOf(store, site)).flat().length
