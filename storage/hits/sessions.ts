/**
 * Groups hits into visits. Each hit is a visit by itself; two visits of a visitor less than 30 minutes apart are
 * joined. Joining is commutative and associative, so hits may come in any order and batches: a late hit extends a visit
 * at either end, or joins two. (The caller separates days: docs/analytics.md §1.)
 */
import type { NewHit } from './new-hit.ts'

export const VISIT_GAP_MS = 30 * 60_000

/** A text of this batch, or the id of a stored one. */
export type TextOrId = string | number

/** The first-hit dimensions: texts, or their stored form. */
export type FirstHit = Readonly<Record<keyof NewHit['visit'], TextOrId>> | string

export interface Visit {
  /**
   * From 1 within the visitor's day; 0 until assigned. Hits that open a visit are at least 30 minutes apart, joined
   * later or not, so a day of 50 hours (a time zone changed) has at most 101: eight bits are enough.
   */
  number: number
  /** Whether the database has a visit of this number. */
  stored: boolean
  startedAt: number
  lastAt: number
  /** When its last engagement came; 0 for none. */
  attendedAt: number
  pageviews: number
  events: number
  /** Fewer than two pageviews and no interactive event. */
  bounced: boolean
  revenue: number
  /** First and last pageview. */
  entry: PageAt | null
  exit: PageAt | null
  /** The person who was identified first, and when: by the number, or by the hash of a hit of this batch. */
  person: { readonly at: number; readonly of: number | string } | null
  first: FirstHit
  /** Whether `first` differs from what is stored under this number. */
  restated: boolean
  /** Next `seq` of its rows. */
  nextSeq: number
  arrivals: Arrival[]
  /** Stored visits that were joined into this one; `shift` is added to the `seq` of their rows. */
  absorbed: { number: number; shift: number }[]
}

interface PageAt {
  readonly at: number
  readonly page: TextOrId
}

/** A hit of this batch; once admitted, its visit and the first `seq` of its rows there. */
export interface Arrival {
  readonly hit: NewHit
  visit: Visit | null
  seq: number
}

/**
 * Adds a hit to the visits of its visitor and day, in place. Engagements, identifications, vitals and clicks open no visit: without one,
 * `arrival.visit` stays null. Call in order of time, because they only find earlier visits.
 */
export function admit(visits: Visit[], arrival: Arrival): void {
  const { kind, at } = arrival.hit
  if (kind === 'vitals' || kind === 'clicks') return attach(visits, arrival)
  if (kind === 'identify') return identify(visits, arrival)
  if (kind === 'engagement' && !visits.some(visit => visit.startedAt <= at && at - visit.lastAt < VISIT_GAP_MS)) return

  let visit = visitOfOne(arrival)
  for (const near of visits.filter(other => gapBetween(other, visit) < VISIT_GAP_MS)) {
    visits.splice(visits.indexOf(near), 1)
    visit = join(near, visit)
  }
  if (visit.number === 0) visit.number = 1 + Math.max(0, ...visits.map(other => other.number))
  visits.push(visit)
}

/** Vitals and clicks may come long after their visit: they join the latest one that had begun. */
function attach(visits: readonly Visit[], arrival: Arrival): void {
  const begun = visits.filter(visit => visit.startedAt <= arrival.hit.at)
  const visit = begun.reduce<Visit | null>((latest, v) => (latest && latest.startedAt > v.startedAt ? latest : v), null)
  if (!visit) return
  arrival.visit = visit
  arrival.seq = visit.nextSeq
  visit.nextSeq += rowsOf(arrival.hit)
  visit.arrivals.push(arrival)
}

/** Says to whom the running visit belongs, from its start. The visit lasts no longer by that. */
function identify(visits: readonly Visit[], arrival: Arrival): void {
  const { at, user } = arrival.hit
  const visit = visits.find(({ startedAt, lastAt }) => startedAt <= at && at - lastAt < VISIT_GAP_MS)
  if (!visit) return
  arrival.visit = visit
  arrival.seq = visit.nextSeq
  visit.arrivals.push(arrival)
  if (user) visit.person = earlier(visit.person, { at, of: user.hash })
}

/** Of two identifications at one instant, the first that arrived counts. */
const earlier = (a: Visit['person'], b: Visit['person']): Visit['person'] => (a === null || (b !== null && b.at < a.at) ? b : a)

/** Rows that share a table and need distinct `seq`. An engagement updates an existing row. */
export const rowsOf = ({ kind, clicks }: NewHit): number =>
  kind === 'clicks' ? clicks.length : kind === 'engagement' || kind === 'identify' ? 0 : 1

function visitOfOne(arrival: Arrival): Visit {
  const { at, kind, page, interactive, revenue, user, visit: first } = arrival.hit
  const pageAt = kind === 'pageview' ? { at, page } : null
  return (arrival.visit = {
    number: 0,
    stored: false,
    startedAt: at,
    lastAt: at,
    attendedAt: kind === 'engagement' ? at : 0,
    pageviews: kind === 'pageview' ? 1 : 0,
    events: kind === 'event' ? 1 : 0,
    bounced: !(kind === 'event' && interactive),
    revenue: kind === 'engagement' ? 0 : revenue,
    entry: pageAt,
    exit: pageAt,
    person: user ? { at, of: user.hash } : null,
    first,
    restated: true,
    nextSeq: rowsOf(arrival.hit),
    arrivals: [arrival],
    absorbed: [],
  })
}

/** Negative where they overlap. */
const gapBetween = (a: Visit, b: Visit): number => Math.max(a.startedAt, b.startedAt) - Math.min(a.lastAt, b.lastAt)

/** Joins two visits under the lower of their numbers. Of hits at one instant, the one that arrived first leads. */
function join(a: Visit, b: Visit): Visit {
  const [kept, gone] = b.number === 0 || (a.number !== 0 && a.number < b.number) ? [a, b] : [b, a]
  if (gone.startedAt < kept.startedAt) {
    kept.first = gone.first
    kept.restated = true
  }
  if (gone.entry && (!kept.entry || gone.entry.at < kept.entry.at)) kept.entry = gone.entry
  if (gone.exit && (!kept.exit || gone.exit.at >= kept.exit.at)) kept.exit = gone.exit
  kept.person = earlier(kept.person, gone.person)
  kept.startedAt = Math.min(kept.startedAt, gone.startedAt)
  kept.lastAt = Math.max(kept.lastAt, gone.lastAt)
  kept.attendedAt = Math.max(kept.attendedAt, gone.attendedAt)
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
