/**
 * How hits become visits. A hit is a visit of one; two visits of a visitor less than 30 minutes apart are one.
 * Joining is commutative and associative, so hits may come in any order and in any batches: what comes late
 * lengthens a visit at either end, or makes two into one. (Days are kept apart by the caller: docs/analytics.md §1.)
 */
import type { NewHit } from './new-hit.ts'

export const VISIT_GAP_MS = 30 * 60_000

/** A text of this batch, or the id of one that is stored. */
export type TextOrId = string | number

/** The dimensions of a first hit: its texts, or what stands for them in the database. */
export type FirstHit = NewHit['visit'] | string

export interface Visit {
  /**
   * From 1 within the visitor's day; 0 until it has one. Hits that open a visit lie at least 30 minutes apart, joined
   * later or not, so a day of 50 hours (a time zone moved) has at most 101: eight bits are enough.
   */
  number: number
  /** Whether the database has it under this number. */
  stored: boolean
  startedAt: number
  lastAt: number
  pageviews: number
  events: number
  /** Fewer than two pageviews and no interactive event. */
  bounced: boolean
  revenue: number
  /** First and last pageview. */
  entry: PageAt | null
  exit: PageAt | null
  first: FirstHit
  /** Whether `first` is not what is stored under this number. */
  restated: boolean
  /** Rows numbered so far. */
  nextSeq: number
  arrivals: Arrival[]
  /** Stored visits that are now part of this one; `shift` is added to the seq of their rows. */
  absorbed: { number: number; shift: number }[]
}

interface PageAt {
  readonly at: number
  readonly page: TextOrId
}

/** A hit of this batch, and once it is admitted: its visit and the first `seq` of its rows there. */
export interface Arrival {
  readonly hit: NewHit
  visit: Visit | null
  seq: number
}

/**
 * Takes a hit into the visits of its visitor and day, in place. Engagements, vitals and clicks make no visit: without
 * one, `arrival.visit` stays null. They should be given in time order, as each can only find what is there.
 */
export function admit(visits: Visit[], arrival: Arrival): void {
  const { kind, at } = arrival.hit
  if (kind === 'vitals' || kind === 'clicks') return attach(visits, arrival)
  if (kind === 'engagement' && !visits.some(visit => visit.startedAt <= at && at - visit.lastAt < VISIT_GAP_MS)) return

  let visit = visitOfOne(arrival)
  for (const near of visits.filter(other => gapBetween(other, visit) < VISIT_GAP_MS)) {
    visits.splice(visits.indexOf(near), 1)
    visit = join(near, visit)
  }
  if (visit.number === 0) visit.number = 1 + Math.max(0, ...visits.map(other => other.number))
  visits.push(visit)
}

/** Measurements of a page may come long after its visit: they go to the latest one that had begun. */
function attach(visits: readonly Visit[], arrival: Arrival): void {
  const begun = visits.filter(visit => visit.startedAt <= arrival.hit.at)
  const visit = begun.reduce<Visit | null>((latest, v) => (latest && latest.startedAt > v.startedAt ? latest : v), null)
  if (!visit) return
  arrival.visit = visit
  arrival.seq = visit.nextSeq
  visit.nextSeq += rowsOf(arrival.hit)
  visit.arrivals.push(arrival)
}

/** Rows that share a table and must differ in `seq`. An engagement adds to a row that is there. */
export const rowsOf = ({ kind, clicks }: NewHit): number => (kind === 'clicks' ? clicks.length : kind === 'engagement' ? 0 : 1)

function visitOfOne(arrival: Arrival): Visit {
  const { at, kind, page, interactive, revenue, visit: first } = arrival.hit
  const pageAt = kind === 'pageview' ? { at, page } : null
  return (arrival.visit = {
    number: 0,
    stored: false,
    startedAt: at,
    lastAt: at,
    pageviews: kind === 'pageview' ? 1 : 0,
    events: kind === 'event' ? 1 : 0,
    bounced: !(kind === 'event' && interactive),
    revenue: kind === 'engagement' ? 0 : revenue,
    entry: pageAt,
    exit: pageAt,
    first,
    restated: true,
    nextSeq: rowsOf(arrival.hit),
    arrivals: [arrival],
    absorbed: [],
  })
}

/** Negative where they overlap. */
const gapBetween = (a: Visit, b: Visit): number => Math.max(a.startedAt, b.startedAt) - Math.min(a.lastAt, b.lastAt)

/** Makes two visits one, under the lower of their numbers. Of hits at one instant, the one that came first leads. */
function join(a: Visit, b: Visit): Visit {
  const [kept, gone] = b.number === 0 || (a.number !== 0 && a.number < b.number) ? [a, b] : [b, a]
  if (gone.startedAt < kept.startedAt) {
    kept.first = gone.first
    kept.restated = true
  }
  if (gone.entry && (!kept.entry || gone.entry.at < kept.entry.at)) kept.entry = gone.entry
  if (gone.exit && (!kept.exit || gone.exit.at >= kept.exit.at)) kept.exit = gone.exit
  kept.startedAt = Math.min(kept.startedAt, gone.startedAt)
  kept.lastAt = Math.max(kept.lastAt, gone.lastAt)
  kept.pageviews += gone.pageviews
  kept.events += gone.events
  kept.revenue += gone.revenue
  kept.bounced = kept.bounced && gone.bounced && kept.pageviews < 2

  const shift = kept.nextSeq
  for (const arrival of gone.arrivals) {
    arrival.visit = kept
    arrival.seq += shift
    kept.arrivals.push(arrival)
  }
  for (const { number, shift: before } of gone.absorbed) kept.absorbed.push({ number, shift: before + shift })
  if (gone.stored) kept.absorbed.push({ number: gone.number, shift })
  kept.nextSeq += gone.nextSeq
  return kept
}
