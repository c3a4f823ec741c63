/** Whether and since when a site sends hits. */
import type { LiveSite } from '../../../sites/sites/records.ts'
import { SETTLE_MS } from '../state.ts'
import type { MeasureContext } from './measure-context.ts'
import { spanBetween } from './spans.ts'

/** The end of its first day with hits, which is seldom a whole one; null where there is none. */
export function dataSince(site: LiveSite, { db, once }: MeasureContext): Promise<number | null> {
  return once(`since ${site.number}`, async () => {
    const first = await db
      .selectFrom('site_days')
      .select('ends_at')
      .where('site_id', '=', site.number)
      .orderBy('day')
      .limit(1)
      .executeTakeFirst()
    return first?.ends_at ?? null
  })
}

/**
 * Ms since the last visit ended, or since the site was made where there was none; 0 where there were hits within the
 * last `patience` ms, which the engine knows without a look at the rows.
 */
export async function silentFor(site: LiveSite, patience: number, { db, engine, once, now }: MeasureContext): Promise<number> {
  if (now - site.created_at < patience) return 0
  const span = spanBetween(site.timezone, now - patience, now - SETTLE_MS)
  const answer = await once(`totals ${site.number} ${span.from}-${span.to}`, () =>
    engine.query({ site: site.number, where: [], goals: [], asked: { report: 'totals', series: [[span]] } }),
  )
  if (answer.series[0]?.[0]?.visits !== 0) return 0
  const last = await db
    .selectFrom('visits')
    .select(({ fn, eb }) => fn.max(eb('started_at', '+', eb.ref('duration'))).as('at'))
    .where('site_id', '=', site.number)
    .where('day', '=', ({ selectFrom }) =>
      selectFrom('visits')
        .select(({ fn }) => fn.max('day').as('day'))
        .where('site_id', '=', site.number),
    )
    .executeTakeFirst()
  return now - Math.max(Number(last?.at ?? 0), site.created_at)
}
