/** Repairs a visit after some of its events were deleted. */
import type { HitRow, VisitRow } from '../tables/index.ts'

type Counted = 'started_at' | 'duration' | 'pageviews' | 'events' | 'bounce' | 'revenue' | 'entry_after' | 'exit_after'
export type VisitCounts = Pick<VisitRow, Counted>
export type HitCounts = Pick<HitRow, 'at' | 'event' | 'interactive' | 'revenue' | 'engaged_ms'>

/**
 * The visit stays a single one with its first-hit dimensions, even if its first or connecting hit is deleted.
 * Engagements have no times of their own: if a deleted hit was the last activity, the visit ends with the last
 * remaining hit, or at the end of a page's engaged time if that is later.
 * @returns null if no hits are left
 */
export function repairedVisit(visit: VisitCounts, left: readonly HitCounts[], gone: readonly HitCounts[]): VisitCounts | null {
  const startedAt = left.reduce((first, hit) => Math.min(first, hit.at), Infinity)
  if (startedAt === Infinity) return null
  const endedAt = visit.started_at + visit.duration
  const lastGone = gone.reduce((last, hit) => Math.max(last, hit.at), -Infinity)
  const lastLeft = left.reduce((last, hit) => Math.max(last, hit.at + hit.engaged_ms), startedAt)
  const later = visit.started_at - startedAt // negative, as the visit now begins later
  const hasPages = visit.pageviews > 0
  return {
    started_at: startedAt,
    duration: (lastGone < endedAt ? endedAt : Math.min(lastLeft, endedAt)) - startedAt,
    pageviews: visit.pageviews,
    events: visit.events - gone.length,
    bounce: visit.pageviews < 2 && !left.some(({ event, interactive }) => event !== 0 && interactive === 1) ? 1 : 0,
    revenue: gone.reduce((revenue, hit) => revenue - hit.revenue, visit.revenue),
    entry_after: hasPages ? visit.entry_after + later : 0,
    exit_after: hasPages ? visit.exit_after + later : 0,
  }
}
