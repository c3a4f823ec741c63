/** Times of a site's first and last hits. */
import { lastVisit } from '../../../../storage/hits/first-and-last-visit.ts'
import type { Db } from '../../../../storage/store.ts'
import type { LiveSite } from '../../../sites/sites/records.ts'
import { SETTLE_MS } from '../state.ts'
import type { MeasureContext } from './measure-context.ts'
import { spanBetween } from './spans.ts'

/** Numbers of a site, or of the sites of a group. */
const numbersOf = (site: LiveSite): number[] => (site.members ?? [site]).map(({ number }) => number)

/** The visit that ended last on any of these sites. */
async function lastOf(db: Db, sites: readonly number[]): ReturnType<typeof lastVisit> {
  let latest: Awaited<ReturnType<typeof lastVisit>> = null
  for (const number of sites) {
    const last = await lastVisit(db, number)
    if (last && last.endedAt > (latest?.endedAt ?? 0)) latest = last
  }
  return latest
}

/** The end of the site's first day with hits, because that day is rarely complete; null if there is none. */
export function dataSince(site: LiveSite, { db, once }: MeasureContext): Promise<number | null> {
  return once(`since ${site.number}`, async () => {
    const first = await db
      .selectFrom('site_days')
      .select('ends_at')
      .where('site_id', 'in', numbersOf(site))
      .orderBy('day')
      .limit(1)
      .executeTakeFirst()
    return first?.ends_at ?? null
  })
}

/**
 * Ms since the last visit ended, or since the site was created if it had none; 0 if there were hits within the last
 * `patience` ms, which the engine knows without reading rows.
 */
export async function silentFor(site: LiveSite, patience: number, { db, scope, engine, once, now }: MeasureContext): Promise<number> {
  if (now - site.created_at < patience) return 0
  const span = spanBetween(site.timezone, now - patience, now - SETTLE_MS)
  const answer = await once(`totals ${site.number} ${span.from}-${span.to}`, async () =>
    engine.query({ ...(await scope(site, [span])), asked: { report: 'totals', series: [[span]] } }),
  )
  if (answer.series[0]?.[0]?.visits !== 0) return 0
  const last = await once(`last ${site.number}`, () => lastOf(db, numbersOf(site)))
  if (last && last.endedAt > now) return patience // a preview: visits came later, and when the ones before ended is not read
  return now - Math.max(last?.endedAt ?? 0, site.created_at)
}
