/** Web vitals of a window. */
import { setImmediate as turn } from 'node:timers/promises'
import type { LiveSite } from '../../sites/records.ts'
import type { Moment } from './moment.ts'
import { spanBetween } from './spans.ts'

const FEWEST = 20

/**
 * The 75th percentile (nearest rank); null with fewer than 20 samples. A measurement has no time of its own: of a day
 * that the window holds in part, those count whose visits were active in it.
 * @returns in ms; cls as the score
 */
export async function percentile75(
  metric: string, site: LiveSite, { from, to }: { from: number; to: number }, { db, once }: Moment,
): Promise<{ value: number; samples: number } | null> {
  const { fromDay, toDay } = spanBetween(site.timezone, from, to)
  const days = await once(`days ${site.number} ${from}-${to}`, () =>
    db.selectFrom('site_days').select(['day', 'starts_at', 'ends_at'])
      .where('site_id', '=', site.number).where('day', '>=', fromDay - 2).where('day', '<=', toDay + 2)
      .where('starts_at', '<', to).where('ends_at', '>', from).execute())
  const counts = new Map<number, number>()
  for (const { day, starts_at, ends_at } of days) {
    const whole = from <= starts_at && ends_at <= to
    // A busy day takes a while on one thread with everything else: hits go first.
    await turn()
    const rows = await once(`vitals ${site.number} ${metric} ${day} ${whole ? '' : `${from}-${to}`}`, () => {
      const all = db.selectFrom('vitals as m').select(['m.value', ({ fn }) => fn.countAll<number>().as('count')])
        .where('m.site_id', '=', site.number).where('m.day', '=', day).where('m.metric', '=', metric)
        .groupBy('m.value')
      const active = all.where(({ exists, selectFrom }) => exists(selectFrom('visits as v').select('v.visit_id')
        .whereRef('v.site_id', '=', 'm.site_id').whereRef('v.day', '=', 'm.day')
        .whereRef('v.visit_id', '=', 'm.visit_id').where('v.started_at', '<', to)
        .where(({ eb, ref }) => eb(eb('v.started_at', '+', ref('v.duration')), '>=', from))))
      return (whole ? all : active).execute()
    })
    for (const { value, count } of rows) counts.set(value, (counts.get(value) ?? 0) + count)
  }
  const samples = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (samples < FEWEST) return null
  const value = rankedAt(counts, Math.ceil(0.75 * samples))
  return { value: metric === 'cls' ? value / 1000 : value, samples }
}

/** The value at a rank, from 1, among values that came so often each. */
function rankedAt(counts: ReadonlyMap<number, number>, rank: number): number {
  let seen = 0
  for (const [value, count] of [...counts].sort(([a], [b]) => a - b)) {
    seen += count
    if (seen >= rank) return value
  }
  return Number.NaN
}
