/**
 * Sums of adjacent days, stored like the sums of one day: sums without conditions add up over days, so that a year is read
 * from about twenty ranges. They are computed when first read, and stay valid until one of their days changes.
 */
import type { Day, DayBounds, SumsName } from './day.ts'
import type { SiteDay } from './site-days.ts'
import type { Reads } from './reads.ts'
import { sumsNumbers } from './sealed-columns.ts'
import { openShape, type SealedDay } from './sealed-day.ts'
import type { DayRequest } from './source.ts'
import { addedUp, totalsAddedUp } from './sums.ts'

/** Days in a range, whose first day is a multiple of that. Wide ranges are added up from narrow ones. */
export type Width = 64 | 8
/** Widest first. */
export const WIDTHS: readonly Width[] = Object.freeze([64, 8])

/** Days that are read as one; a single day if the width is 1. */
export interface DayRange<D extends SiteDay = SiteDay> {
  readonly width: Width | 1
  readonly days: readonly D[]
  /** The reads of each day; null for none. */
  readonly reads: Reads | null
}
/** All days of a site within these numbers. */
export interface Days<D extends SiteDay = SiteDay> {
  readonly from: number
  readonly to: number
  readonly list: readonly D[]
  /** Widths to use, widest first. */
  readonly widths: readonly Width[]
}

/** The fewest ranges that cover these days for a request. Days that may still change stay single. */
export function dayRanges<D extends SiteDay>({ from, to, list, widths }: Days<D>, request: DayRequest): DayRange<D>[] {
  const ranges: DayRange<D>[] = []
  for (let i = 0; i < list.length; ) {
    const range = widestAt(i)
    ranges.push(range)
    i += range.days.length
  }
  return ranges

  function widestAt(i: number): DayRange<D> {
    const first = list[i] as D // `i` is inside the list
    const reads = request.of(first)
    if (!reads || reads.columns.size > 0) return { width: 1, days: [first], reads }
    for (const width of widths) {
      const begins = beginOf(first.day, width)
      if (begins < from || begins + width - 1 > to || (i > 0 && (list[i - 1]?.day ?? 0) >= begins)) continue
      let end = i
      while (list[end]?.sealed && (list[end]?.day ?? 0) < begins + width) end++
      const last = list[end - 1]
      const isWhole = end === list.length || (list[end]?.day ?? 0) >= begins + width
      if (!last || first === last || !isWhole) continue
      if (request.together(reads, first, last)) return { width, days: list.slice(i, end), reads }
    }
    return { width: 1, days: [first], reads }
  }
}

const beginOf = (day: number, width: Width): number => Math.floor(day / width) * width

/** The days of a range, to be covered by narrower ones. */
export function within<D extends SiteDay>(width: Width, list: readonly D[]): Days<D> {
  const from = beginOf(list[0]?.day ?? 0, width)
  return { from, to: from + width - 1, list, widths: WIDTHS.filter(narrower => narrower < width) }
}

function boundsOf(days: readonly SiteDay[]): DayBounds {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) throw new Error('a range has no days')
  return { day: first.day, startsAt: first.startsAt, endsAt: last.endsAt }
}

/** A day that has only the added sums of these days. */
export function openRange(days: readonly SiteDay[], parts: readonly Day[]): SealedDay {
  const total = (count: (day: Day) => number): number => parts.reduce((sum, day) => sum + count(day), 0)
  const bySite = parts.flatMap(({ sums }) => sums.site ?? [])
  return openShape(boundsOf(days), {
    ...(bySite.length > 0 && { sites: { sums: addedUp(bySite) } }),
    totals: totalsAddedUp(parts.map(day => day.sums)),
    parts: {
      visits: { count: total(({ visits }) => visits.count), visitors: total(({ visits }) => visits.visitors) },
      hits: { count: total(({ hits }) => hits.count) },
      props: { count: total(({ props }) => props.count) },
      vitals: {},
      clicks: {},
    },
  })
}

/** Adds further sums to a range. */
export function addSums(range: SealedDay, numbers: readonly number[], parts: readonly Day[]): void {
  for (const number of numbers) {
    if (range.has('sums', number)) continue // another query has loaded it in the meantime
    const name = names.get(number)
    if (!name) throw new Error(`there are no sums ${number}`)
    range.setSums(number, addedUp(parts.map(day => day.sums[name])))
  }
}

const names: ReadonlyMap<number, SumsName> = new Map(Object.entries(sumsNumbers).map(([name, number]) => [number, name as SumsName])) // the object's own keys
