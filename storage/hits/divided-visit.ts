/**
 * Divides visits at the midnights of another time zone, as hits that come across a midnight are divided: each part is a visit of its
 * own, which continues the source of the first one (docs/analytics.md §5).
 */
import { type LocalDay, localDay } from '../calendar/zones.ts'
import type { HitRow, VisitRow } from '../tables/index.ts'

/** The part of a stored day that belongs to one day of the zone, epoch ms: it includes `from`, but not `to`. */
export interface DayPart {
  readonly day: number
  readonly from: number
  readonly to: number
}

/** The days of a zone that a time touches, in order; none for an empty time. */
export function partsOf(zone: string, { startsAt, endsAt }: Pick<LocalDay, 'startsAt' | 'endsAt'>): DayPart[] {
  const parts: DayPart[] = []
  for (let from = startsAt; from < endsAt; ) {
    const { day, endsAt: midnight } = localDay(zone, from)
    const to = Math.min(midnight, endsAt)
    parts.push({ day, from, to })
    from = to
  }
  return parts
}

/** Whether a stored day has no hits of other days of the zone. */
export const isCut = (zone: string, stored: LocalDay): boolean => partsOf(zone, stored).every(({ day }) => day === stored.day)

export type HitOfVisit = Pick<HitRow, 'visit_id' | 'seq' | 'at' | 'page' | 'event' | 'interactive' | 'revenue' | 'engaged_ms'>

export interface VisitPart {
  readonly part: DayPart
  /** With the day and `visit_id` of the undivided visit. */
  readonly visit: VisitRow
  readonly hits: readonly HitOfVisit[]
}

/**
 * A visit that has hits in only one part belongs there as it is, even if its visitor read on until after midnight.
 * @param hits all of the visit, by time and `seq`
 */
export function dividedVisit(visit: VisitRow, hits: readonly HitOfVisit[], parts: readonly DayPart[]): VisitPart[] {
  const found = parts.flatMap(part => {
    const within = hits.filter(({ at }) => part.from <= at && at < part.to)
    return within.length > 0 ? [{ part, hits: within }] : []
  })
  const [only, ...others] = found
  if (only && others.length === 0) return [{ ...only, visit }]
  return found.map(({ part, hits: within }, i) => ({
    part,
    hits: within,
    visit: { ...visit, ...figuresOf(visit, within, { part, isLast: i === found.length - 1 }) },
  }))
}

type Figures = Pick<
  VisitRow,
  | 'started_at'
  | 'duration'
  | 'pageviews'
  | 'events'
  | 'bounce'
  | 'revenue'
  | 'entry_page'
  | 'exit_page'
  | 'entry_after'
  | 'exit_after'
  | 'attended_at'
  | 'person_after'
>

function figuresOf(visit: VisitRow, hits: readonly HitOfVisit[], { part, isLast }: { part: DayPart; isLast: boolean }): Figures {
  const [startedAt, lastAt] = [hits[0]?.at ?? 0, hits.at(-1)?.at ?? 0]
  const pages = hits.filter(({ event }) => event === 0)
  const [entry, exit] = [pages[0], pages.at(-1)]
  const attendedAt = isLast ? (visit.attended_at >= part.from ? visit.attended_at : 0) : attendedIn(visit, hits, part)
  return {
    started_at: startedAt,
    duration: (isLast ? visit.started_at + visit.duration : Math.max(attendedAt, lastAt)) - startedAt,
    pageviews: pages.length,
    events: hits.length - pages.length,
    bounce: pages.length < 2 && !hits.some(({ event, interactive }) => event !== 0 && interactive === 1) ? 1 : 0,
    revenue: hits.reduce((sum, { revenue }) => sum + revenue, 0),
    entry_page: entry?.page ?? 0,
    exit_page: exit?.page ?? 0,
    entry_after: entry ? entry.at - startedAt : 0,
    exit_after: exit ? exit.at - startedAt : 0,
    attended_at: attendedAt,
    person_after: Math.max(0, visit.started_at + visit.person_after - startedAt),
  }
}

/** Only the time of the last engagement is stored. Before it, the attention to the pages of the part is used, at most until midnight. */
function attendedIn({ attended_at }: VisitRow, hits: readonly HitOfVisit[], { from, to }: DayPart): number {
  if (from <= attended_at && attended_at < to) return attended_at
  return hits.reduce((end, { at, engaged_ms }) => (engaged_ms > 0 ? Math.max(end, Math.min(at + engaged_ms, to - 1)) : end), 0)
}
