/** Repairs a visit after some of its events were deleted. */
import type { HitRow, VisitRow } from '../tables/index.ts'

type Counted = 'started_at' | 'duration' | 'pageviews' | 'events' | 'bounce' | 'revenue' | 'entry_after' | 'exit_after' | 'person_after'
export type VisitCounts = Pick<VisitRow, Counted>
export type KnownVisit = VisitCounts & Pick<VisitRow, 'attended_at'>
export type HitCounts = Pick<HitRow, 'at' | 'event' | 'interactive' | 'revenue' | 'engaged_ms'>

/**
 * The visit stays a single one with its first-hit dimensions, even if its first or connecting hit is deleted.
 * It lasts as if the deleted hits had never come: until its last remaining hit or its last engagement. For engagements
 * from before their time was stored, the engaged time of the pages is used instead.
 * @returns null if no hits are left
 */
export function repairedVisit(visit: KnownVisit, left: readonly HitCounts[], gone: readonly HitCounts[]): VisitCounts | null {
  const startedAt = left.reduce((first, hit) => Math.min(first, hit.at), Infinity)
  if (startedAt === Infinity) return null
  const later = visit.started_at - startedAt // negative, as the visit now begins later
  const hasPages = visit.pageviews > 0
  return {
    started_at: startedAt,
    duration: endOf(visit, left, gone) - startedAt,
    pageviews: visit.pageviews,
    events: visit.events - gone.length,
    bounce: visit.pageviews < 2 && !left.some(({ event, interactive }) => event !== 0 && interactive === 1) ? 1 : 0,
    revenue: gone.reduce((revenue, hit) => revenue - hit.revenue, visit.revenue),
    entry_after: hasPages ? visit.entry_after + later : 0,
    exit_after: hasPages ? visit.exit_after + later : 0,
    person_after: Math.max(0, visit.person_after + later),
  }
}

/** Epoch ms. */
function endOf(visit: KnownVisit, left: readonly HitCounts[], gone: readonly HitCounts[]): number {
  const lastOf = (hits: readonly HitCounts[], of: (hit: HitCounts) => number) => hits.reduce((last, hit) => Math.max(last, of(hit)), 0)
  if (visit.attended_at > 0)
    return Math.max(
      visit.attended_at,
      lastOf(left, hit => hit.at),
    )
  const endedAt = visit.started_at + visit.duration
  if (lastOf(gone, hit => hit.at) < endedAt) return endedAt
  return Math.min(
    endedAt,
    lastOf(left, hit => hit.at + hit.engaged_ms),
  )
}
