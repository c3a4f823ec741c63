/** A visit repaired after some of its events were deleted. */
import type { HitRow, VisitRow } from '../tables/index.ts'

type Counted = 'started_at' | 'duration' | 'pageviews' | 'events' | 'bounce' | 'revenue' | 'entry_after' | 'exit_after'
export type VisitCounts = Pick<VisitRow, Counted>
export type HitCounts = Pick<HitRow, 'at' | 'event' | 'interactive' | 'revenue' | 'engaged_ms'>

/**
 * The visit stays one, and keeps what it took from its first hit, even where that or what held it together is gone.
 * Attention keeps no times of its own: where it was not the last thing known of the visit, the visit ends with the
 * last hit left, or when the attention to a page was over, if that is later.
 * @returns null where nothing is left
 */
export function repairedVisit(visit: VisitCounts, left: readonly HitCounts[], gone: readonly HitCounts[]): VisitCounts | null {
  const startedAt = left.reduce((first, hit) => Math.min(first, hit.at), Infinity)
  if (startedAt === Infinity) return null
  const endedAt = visit.started_at + visit.duration
  const lastGone = gone.reduce((last, hit) => Math.max(last, hit.at), -Infinity)
  const lastLeft = left.reduce((last, hit) => Math.max(last, hit.at + hit.engaged_ms), startedAt)
  const later = visit.started_at - startedAt // how much later it begins, below 0
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
