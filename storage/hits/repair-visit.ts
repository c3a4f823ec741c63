/** Repairs a visit after some of its hits were deleted. */
import type { HitRow, VisitRow } from '../tables/index.ts'
import { assign, bigint, type Columns, int, matching, type Statement, statement } from '../sql/row-statements.ts'
import type { Store } from '../store.ts'

const pages = ['entry_page', 'entry_after', 'exit_page', 'exit_after'] as const
type Pages = Pick<VisitRow, (typeof pages)[number]>
type Counted = 'started_at' | 'duration' | 'pageviews' | 'events' | 'bounce' | 'revenue' | 'person_after' | keyof Pages
export type VisitCounts = Pick<VisitRow, Counted>
export type KnownVisit = VisitCounts & Pick<VisitRow, 'attended_at'>
export type HitCounts = Pick<HitRow, 'seq' | 'at' | 'page' | 'event' | 'interactive' | 'revenue' | 'engaged_ms'>

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
  const gonePages = gone.filter(({ event }) => event === 0).length
  const pageviews = visit.pageviews - gonePages
  return {
    started_at: startedAt,
    duration: endOf(visit, left, gone) - startedAt,
    pageviews,
    events: visit.events - (gone.length - gonePages),
    bounce: pageviews < 2 && !left.some(({ event, interactive }) => event !== 0 && interactive === 1) ? 1 : 0,
    revenue: gone.reduce((revenue, hit) => revenue - hit.revenue, visit.revenue),
    ...(gonePages > 0 ? pagesOf(left, startedAt) : movedPages(visit, later)),
    person_after: Math.max(0, visit.person_after + later),
  }
}

const movedPages = ({ pageviews, entry_page, entry_after, exit_page, exit_after }: KnownVisit, later: number): Pages => ({
  entry_page,
  exit_page,
  entry_after: pageviews > 0 ? entry_after + later : 0,
  exit_after: pageviews > 0 ? exit_after + later : 0,
})

function pagesOf(left: readonly HitCounts[], startedAt: number): Pages {
  const views = left.filter(({ event }) => event === 0).sort((a, b) => a.at - b.at || a.seq - b.seq)
  const [first, last] = [views[0], views.at(-1)]
  if (!first || !last) return { entry_page: 0, entry_after: 0, exit_page: 0, exit_after: 0 }
  return { entry_page: first.page, entry_after: first.at - startedAt, exit_page: last.page, exit_after: last.at - startedAt }
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

/** A visit to store, repaired. */
export interface RepairedVisit extends VisitCounts {
  readonly site: number
  readonly day: number
  readonly visit_id: number
  readonly rev: number
}

const key: Columns<RepairedVisit> = {
  site_id: int(visit => visit.site),
  day: int(visit => visit.day),
  visit_id: bigint(visit => visit.visit_id),
}
const figures: Columns<RepairedVisit, keyof VisitCounts> = {
  started_at: bigint(visit => visit.started_at),
  duration: int(visit => visit.duration),
  pageviews: int(visit => visit.pageviews),
  events: int(visit => visit.events),
  bounce: int(visit => visit.bounce),
  revenue: bigint(visit => visit.revenue),
  entry_page: int(visit => visit.entry_page),
  entry_after: int(visit => visit.entry_after),
  exit_page: int(visit => visit.exit_page),
  exit_after: int(visit => visit.exit_after),
  person_after: int(visit => visit.person_after),
}
const stamp = { rev: int<RepairedVisit>(visit => visit.rev) }
/** The columns of a visit that its hits determine. */
export const counts = Object.keys(figures) as (keyof VisitCounts)[] // the object's own keys

export const visitUpdate = (store: Store): Statement<RepairedVisit> =>
  statement<RepairedVisit>(store, {
    name: 'repair-visit.update',
    columns: { ...key, ...figures, ...stamp },
    body: `update visits set ${assign([...counts, 'rev'], 'given')} from given
   where ${matching(Object.keys(key), 'visits', 'given')}`,
  })
