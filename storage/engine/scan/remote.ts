/**
 * Counts as SQL of ClickHouse, for what a cluster counts itself (`days/remote-scan.ts`): totals, and the values of a
 * dimension of visits or of pages. They give the results of the passes of `scan.ts`. For a condition without SQL they are
 * null, and columns are fetched as for every other report.
 */
import type { VisitDimension } from '../../tables/index.ts'
import type { Reads } from '../days/reads.ts'
import { type HitRows, type RemoteScan, type RemoteSums, visitorIn } from '../days/remote-scan.ts'
import type { BounceBasis } from '../days/tally.ts'
import { type Sums, sumNames } from '../vocabulary/sums.ts'
import type { ResolvedCondition } from './condition.ts'
import type { GoalBits } from './goals.ts'
import type { Narrowing } from './narrowing.ts'
import { among, hitsCompleting, hitsMeeting, viewsOf, visitsPassing } from './remote-conditions.ts'
import { HOUR_MS } from '../../values/durations.ts'

export interface RemotelyCounted {
  readonly conditions: readonly ResolvedCondition[]
  readonly narrowing: Narrowing | null
  readonly basis: BounceBasis
  /** The size of a pass over the columns. */
  readonly reads: Reads
}

type Expressions = Readonly<Record<string, string>>

const ofHits = { p: 'h_page', e: 'h_event', r: 'h_revenue', engaged_ms: 'h_engaged' }

/** Columns of visits, and all of their hits. */
const hitRows = (columns: readonly string[], more: Expressions): HitRows => ({
  columns: [...columns, ...Object.values(ofHits)],
  arrays: { ...ofHits, ...more },
})

const ofWholeVisits: Expressions = { pageviews: 'sum(m * pageviews)', revenue: 'sum(m * revenue)', purchases: 'sum(m * purchases)' }

/** Sums of each day: of whole visits, and as `narrowed_…` of what a narrowing counts of them. */
export function totalsScan(counted: RemotelyCounted): RemoteScan | null {
  const narrowed = narrowedSums(counted.narrowing)
  const named = narrowed && Object.fromEntries(Object.entries(narrowed).map(([name, of]) => [`narrowed_${name}`, of]))
  return named && ofVisits('day', counted, { ...ofWholeVisits, ...named })
}

/** Sums of each value of a column. */
export function valuesScan(column: VisitDimension, counted: RemotelyCounted): RemoteScan | null {
  const narrowed = narrowedSums(counted.narrowing)
  return narrowed && ofVisits(column, counted, { ...ofWholeVisits, ...narrowed })
}

/** Sums of each page that was viewed. */
export function pagesScan({ conditions, narrowing, reads }: Omit<RemotelyCounted, 'basis'>): RemoteScan | null {
  const mask = visitsPassing(conditions)
  const met = hitsMeeting(narrowing?.hits ?? [])
  if (mask === null || met === null || hasPlaces(narrowing)) return null
  // `nth`: which view of the page it is in its visit. An event on the page is none.
  const hits = hitRows(['day', 'visitor', 'alone', 'entry_page', 'exit_page', 'bounce', 'duration'], {
    nth: 'arrayEnumerateUniq(h_page, h_event)',
  })
  const there = [...(narrowing?.pages ? [among('p', narrowing.pages)] : []), 'm'].join(' and ')
  const sums: Expressions = {
    pageviews: `sum((${there} and e = 0) as viewed)`,
    visits: 'sum((viewed and nth = 1) as first)',
    visitors: `sum(first * alone) + uniqExactIf(${visitorIn('p')}, first > alone)`,
    revenue: `sum((${there} and ${met}) * r)`, // also of events on the page
    purchases: `sum(${there} and ${met} and r > 0)`,
    engaged: 'sum(viewed * engaged_ms)',
    exits: 'sum(first and exit_page = p)',
    bounceBase: 'sum((first and entry_page = p) as entered)',
    bounces: 'sum(entered * bounce)',
    duration: 'sum((entered > bounce) * duration)',
  }
  return { mask, hits, few: true, group: 'p', sums, reads }
}

/**
 * Sums of each hour, by its number since 1970, of what is in it: a visit counts wherever one of its hits lies.
 * @param offset ms that hours begin later than those of UTC
 */
export function hoursScan({ conditions, narrowing, basis, reads }: RemotelyCounted, offset: number): RemoteScan | null {
  const mask = visitsPassing(conditions)
  const met = hitsMeeting(narrowing?.hits ?? [])
  if (mask === null || met === null || hasPlaces(narrowing) || basis === 'entered here') return null
  const hourOf = (at: string) => `intDiv(base + ${at} - ${offset}, ${HOUR_MS})`
  const hits = hitRows(['day', 'visitor', 'alone', 'base', 'entry_page', 'bounce', 'duration', 'h_at'], {
    at: 'h_at',
    nth: `arrayEnumerateUniq(arrayMap(t -> ${hourOf('t')}, h_at))`, // which hit of the hour it is in its visit
  })
  const hour = hourOf('at')
  const based = basis === 'all' ? 'first' : `(first and ${among('entry_page', basis)})`
  const counted = { revenue: `sum((m and ${met}) * r)`, purchases: `sum(m and ${met} and r > 0)` }
  const sums: Expressions = {
    visits: 'sum((m and nth = 1) as first)',
    visitors: `sum(first * alone) + uniqExactIf(${visitorIn('hour')}, first > alone)`,
    bounceBase: `sum(${based})`,
    bounces: `sum(${based} * bounce)`,
    duration: `sum((${based} > bounce) * duration)`,
    pageviews: 'sum(m and e = 0)',
    events: 'sum(m and e > 0)',
    revenue: 'sum(m * r)',
    purchases: 'sum(m and r > 0)',
    engaged: 'sum(m * engaged_ms)',
    ...(narrowing?.pages && { narrowed_pageviews: `sum(m and e = 0 and ${among('p', narrowing.pages)})` }),
    ...((narrowing?.hits.length ?? 0) > 0 && { narrowed_revenue: counted.revenue, narrowed_purchases: counted.purchases }),
  }
  return { mask, hits, few: true, group: hour, sums, reads }
}

/** Sums of each day: the visits, as `visits_0`, and those that got through a number of steps, with their visitors. */
export function stagesScan(conditions: readonly ResolvedCondition[], steps: GoalBits, count: number, reads: Reads): RemoteScan | null {
  const mask = visitsPassing(conditions)
  const hit = Array.from({ length: count }, (_, step) => hitsCompleting(steps, 2 ** step))
  if (mask === null || hit.includes(null)) return null
  const reached = (name: string, condition: string): [string, string][] => [
    [`visits_${name}`, `sum((m and ${condition}) as reached_${name})`],
    [`visitors_${name}`, `sum(reached_${name} * alone) + uniqExactIf(visitor, reached_${name} > alone)`],
  ]
  // A step's hit is the first one after that of the step before. None is a place that no hit comes after.
  const sums = hit.flatMap((completing, step) => {
    const [names, arrays, later] = step === 0 ? ['', '', ''] : [', i', ', arrayEnumerate(h_page)', ` and i > at_${step} + 1`]
    const at = `toUInt32(arrayFirstIndex((p, e${names}) -> ${completing}${later}, h_page, h_event${arrays}) + ${NOWHERE}) as at_${step + 1}`
    return reached(`${step + 1}`, `(${at}) < ${NOWHERE}`)
  })
  return { mask, hits: null, few: areFew(conditions), group: 'day', sums: Object.fromEntries([...reached('0', '1'), ...sums]), reads }
}

/** A place that no hit has: -1 as an unsigned number of 32 bits. */
const NOWHERE = 2 ** 32 - 1

function ofVisits(group: string, { conditions, basis, reads }: RemotelyCounted, counted: Expressions): RemoteScan | null {
  const mask = visitsPassing(conditions)
  if (mask === null || basis === 'entered here') return null
  const based = basis === 'all' ? 'm' : `(m and ${among('entry_page', basis)})`
  const sums: Expressions = {
    visits: 'sum(m)',
    visitors: `sum(m * alone) + uniqExactIf(${visitorIn(group)}, m > alone)`,
    bounceBase: `sum(${based})`, // the server computes an expression once, however often a query contains it
    bounces: `sum(${based} * bounce)`,
    duration: `sum((${based} > bounce) * duration)`,
    ...counted,
  }
  return { mask, hits: null, few: areFew(conditions), group, sums, reads }
}

/** A single country or browser may have half of all visits, but hardly ever a page, an event or several conditions. */
const areFew = (conditions: readonly ResolvedCondition[]): boolean => conditions.length > 1 || conditions.some(({ on }) => on !== 'visit')

/** Whether pageviews are narrowed by host or address, for which there is no SQL. */
const hasPlaces = (narrowing: Narrowing | null): boolean => (narrowing?.views.length ?? 0) > 0

/** The sums that a narrowing counts otherwise than by whole visits; null if there is no SQL for it. */
function narrowedSums(narrowing: Narrowing | null): Expressions | null {
  const { pages = null, hits = [] } = narrowing ?? {}
  const met = hitsMeeting(hits)
  if (met === null || hasPlaces(narrowing)) return null
  const [names, arrays] = hits.some(({ on }) => on !== 'event') ? ['p, e, r', 'h_page, h_event, h_revenue'] : ['e, r', 'h_event, h_revenue']
  return {
    ...(pages && { pageviews: `sum(m * ${viewsOf(pages)})` }),
    ...(hits.length > 0 && {
      revenue: `sum(m * arraySum((${names}) -> r * (${met}), ${arrays}))`,
      purchases: `sum(m * arrayCount((${names}) -> r > 0 and ${met}, ${arrays}))`,
    }),
  }
}

/** The sums of one row; 0 for those that the scan has not. */
export function sumsIn(found: RemoteSums, row: number): Sums {
  const sums = { ...noSums } // several times as fast as an object from entries, of thousands of pages
  for (const name of sumNames) sums[name] = found.sum(name)?.[row] ?? 0
  return sums
}

/** The sums that a narrowing counts in a row of `totalsScan`. */
export function narrowedIn(found: RemoteSums, row: number): Partial<Sums> {
  const counted = sumNames.filter(name => found.sum(`narrowed_${name}`))
  return named(counted, name => found.sum(`narrowed_${name}`)?.[row] ?? 0)
}

const named = <Name extends string>(names: readonly Name[], of: (name: Name) => number): Record<Name, number> =>
  Object.fromEntries(names.map(name => [name, of(name)])) as Record<Name, number> // one for each name

const noSums: Readonly<Sums> = named(sumNames, () => 0)
