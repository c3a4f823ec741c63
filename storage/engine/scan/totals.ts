/** Counts sums of spans. */
import type { Column } from '../columns/column.ts'
import type { Day, DayBounds } from '../days/day.ts'
import { allReads, type Reads, sumsRead } from '../days/reads.ts'
import { isAfter, isBefore, type TimeWindow, windowOn } from '../days/spans.ts'
import type { Elsewhere, RemoteSums } from '../days/remote-scan.ts'
import { basisRead, type BounceBasis, Tally } from '../days/tally.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { CountedSums, Sums } from '../vocabulary/sums.ts'
import { readsOfConditions, type ResolvedCondition } from './condition.ts'
import { type DayCounter, readsOfAll } from './day-counter.ts'
import type { Mask } from './mask.ts'
import { type Narrowing, readsOfNarrowing } from './narrowing.ts'
import { hoursScan, narrowedIn, sumsIn, totalsScan } from './remote.ts'
import { PeopleTally, personsRead } from './people.ts'
import type { Context } from './resolve.ts'
import { type HitCounter, scanPersons, scanVisits, type Scanned, scanWindows, visitScan, windowScan } from './scan.ts'
import { addStoredSums, type Stored, storedUnder } from './stored-sums.ts'
import { HOUR_MS } from '../../values/durations.ts'

/** Counts series of spans, a day at a time; span i of a series is group i of its tally. The spans of a series are in order. */
export function totalsOver(
  series: readonly (readonly Span[])[],
  conditions: readonly ResolvedCondition[],
  { basis, narrowing }: { readonly basis: BounceBasis; readonly narrowing: Narrowing | null },
  { workspace, isPeopleCounted = false }: Pick<Context, 'workspace'> & { readonly isPeopleCounted?: boolean | undefined },
): DayCounter & { readonly elsewhere: readonly Elsewhere[]; sums(): CountedSums[][] } {
  const found = storedUnder(conditions, { stored: { name: 'totals', kept: null }, basis })
  // Sums of a value cover whole days; sums of all visits also cover hours.
  const stored = found?.name === 'totals' || series.every(spans => spans.every(span => span.whole)) ? found : null
  const withPersons = (reads: Reads) => (isPeopleCounted ? allReads([reads, readsOfConditions(conditions), personsRead]) : reads)
  const ofStored = stored && withPersons(sumsRead(stored.name))
  const ofHours = stored && withPersons(isPeopleCounted ? allReads([sumsRead('hour'), windowScan]) : sumsRead('hour'))
  const ofMask = allReads([readsOfConditions(conditions), basisRead(basis), readsOfNarrowing(narrowing)])
  const whole = withPersons(allReads([ofMask, visitScan.whole]))
  const part = withPersons(allReads([ofMask, windowScan]))
  const both = allReads([whole, part])
  const counting = series.map(spans => ({
    spans,
    tally: new Tally(spans.length, basis),
    narrowed: narrowing && openNarrowed(spans.length, narrowing, workspace),
    people: isPeopleCounted ? new PeopleTally(spans.length) : null,
  }))

  /** For spans of whole days, the usual case, which cut no day. */
  const readsOfWhole =
    (spans: readonly Span[]) =>
    (day: DayBounds): Reads | null => {
      if (day.cut) return readsOf(spans)(day)
      const first = spans[firstOn(spans, day)]
      return first && first.fromDay <= day.day ? (ofStored ?? whole) : null
    }
  const readsOf =
    (spans: readonly Span[]) =>
    (day: DayBounds): Reads | null => {
      const parts = partsOn(spans, day)
      if (parts.length === 0) return null
      const wholes = parts.filter(({ window }) => window === null).length
      if (stored && areStored(parts, day)) return wholes === parts.length ? ofStored : ofHours
      return wholes === parts.length ? whole : wholes === 0 ? part : both
    }

  const reads = readsOfAll(series.map(spans => (spans.every(span => span.whole) ? readsOfWhole(spans) : readsOf(spans))))
  /** Days that the cluster has counted. */
  const done = new Set<number>()
  const hourly = counting.filter(({ spans }) => hoursFrom(spans) !== null)
  const daily = counting.filter(one => !hourly.includes(one))
  const elsewhere: Elsewhere = {
    scans() {
      const counted = { conditions, narrowing, basis }
      const offsets = [...new Set(hourly.map(({ spans }) => hoursFrom(spans) ?? 0))]
      const scans = [
        ...(daily.length > 0 ? [totalsScan({ ...counted, reads: whole })] : []),
        ...offsets.map(offset => hoursScan({ ...counted, reads: part }, offset)),
      ]
      return offsets.length > 1 || scans.includes(null) ? null : scans.flatMap(scan => scan ?? [])
    },
    wants(day) {
      const parts = daily.flatMap(({ spans }) => partsOn(spans, day))
      return parts.every(({ window }) => window === null) && parts.length + hourly.flatMap(({ spans }) => partsOn(spans, day)).length > 0
    },
    add(days, found) {
      for (const one of found) {
        if (one.scan.group === 'day') addDays(days, one)
        else for (const { spans, tally, narrowed } of hourly) addHours(spans, tally, narrowed, one)
      }
      for (const day of days.keys()) done.add(day)
    },
  }
  function addDays(days: ReadonlyMap<number, DayBounds>, found: RemoteSums): void {
    for (let row = 0; row < found.rows; row++) {
      const day = days.get(found.groups[row] ?? 0)
      if (!day) continue
      const sums = sumsIn(found, row)
      for (const { spans, tally, narrowed } of daily) {
        for (const { group } of partsOn(spans, day)) {
          tally.addSums(group, sums)
          narrowed?.addSums(group, { ...sums, ...narrowedIn(found, row) })
        }
      }
    }
  }
  function addHours(spans: readonly Span[], tally: Tally, narrowed: Narrowed | null, found: RemoteSums): void {
    const places = new Map(spans.map(({ from }, i) => [Math.floor(from / HOUR_MS), i]))
    for (let row = 0; row < found.rows; row++) {
      const group = places.get(found.groups[row] ?? 0)
      if (group === undefined) continue
      const sums = sumsIn(found, row)
      if (sums.visits === 0) continue
      tally.addSums(group, sums)
      narrowed?.addSums(group, { ...sums, ...narrowedIn(found, row) })
    }
  }

  return {
    reads: day => (done.has(day.day) ? null : reads(day)),
    scans: stored === null || isPeopleCounted,
    elsewhere: stored || isPeopleCounted ? [] : [elsewhere],
    add(day) {
      if (done.has(day.day)) return
      let mask: Mask | undefined
      const masked = () => (mask === undefined ? (mask = workspace.masks.of(day, conditions)) : mask)
      for (const { spans, tally, narrowed, people } of counting) {
        const parts = partsOn(spans, day)
        if (parts.length === 0) continue
        if (people !== null) addPersons(people, { day, mask: masked(), workspace }, parts)
        if (stored && areStored(parts, day)) {
          addStored(tally, day, parts, stored)
          continue
        }
        tally.begin(day)
        for (const { group, window } of parts) {
          if (window !== null) continue
          scanVisits(tally, { day, mask: masked(), window, workspace }, group, null)
          narrowed?.addVisits(day, masked(), group)
        }
        const cut = parts.filter((part): part is Part & { window: TimeWindow } => part.window !== null)
        if (cut.length === 0) continue
        for (const counter of narrowed ? [tally, narrowed.begin(day)] : [tally]) {
          scanWindows(
            counter,
            { day, mask: masked(), workspace },
            cut.map(one => one.window),
            cut.map(one => one.group),
          )
        }
      }
    },
    sums: () =>
      counting.map(({ tally, narrowed, people }) =>
        Array.from({ length: tally.groups }, (_, span) => ({
          ...(narrowed?.of(span, tally.of(span)) ?? tally.of(span)),
          ...people?.of(span),
        })),
      ),
  }
}

/** How many ms after the hours of UTC all of these spans begin, if each is an hour; else null. */
function hoursFrom(spans: readonly Span[]): number | null {
  const offset = (spans[0]?.from ?? 0) % HOUR_MS
  const areHours = spans.every(({ whole, from, to }) => !whole && to - from === HOUR_MS && from % HOUR_MS === offset)
  return areHours && spans.length > 0 ? offset : null
}

type Narrowed = ReturnType<typeof openNarrowed>

/** The figures of the requested parts of visits, in addition to the tally of the whole visits. (Every `!` is inside bounds.) */
function openNarrowed(groups: number, narrowing: Narrowing, { narrowings }: Context['workspace']) {
  const pageviews = new Float64Array(groups)
  const revenue = new Float64Array(groups)
  const purchases = new Float64Array(groups)
  const { pages } = narrowing
  return {
    /** Adds a whole day. */
    addVisits(day: Day, mask: Mask, group: number): void {
      const counted = narrowings.visits(day, mask, narrowing)
      pageviews[group]! += selectedSum(counted.pageviews, mask, day.visits.count)
      if (narrowing.hits.length === 0) return
      revenue[group]! += selectedSum(counted.revenue, mask, day.visits.count)
      purchases[group]! += selectedSum(counted.purchases, mask, day.visits.count)
    },
    /** Adds whole days that the cluster has counted. */
    addSums(group: number, sums: Readonly<Sums>): void {
      pageviews[group]! += sums.pageviews
      revenue[group]! += sums.revenue
      purchases[group]! += sums.purchases
    },
    /** Counts hits of a day. */
    begin(day: Day): HitCounter {
      const met = narrowings.met(day, narrowing.hits)
      const there = narrowings.met(day, narrowing.views)
      const { event, revenue: amounts } = day.hits
      const page = pages === null ? event : day.hits.page
      return {
        hit(group, _, h) {
          if (event[h] === 0 && (pages === null || pages[page[h]!] === 1) && (there === null || there[h] === 1)) pageviews[group]!++
          if (met !== null && met[h] === 0) return
          revenue[group]! += amounts[h]!
          if (amounts[h]! > 0) purchases[group]!++
        },
      }
    },
    of: (group: number, whole: Sums): CountedSums => ({
      ...whole,
      ...(narrowing.hits.length > 0 && { revenue: revenue[group]!, purchases: purchases[group]! }),
      pageviews: pageviews[group]!,
      viewsOfVisits: whole.pageviews,
    }),
  }
}

function selectedSum(column: Column, mask: Mask, count: number): number {
  let sum = 0
  if (mask === null) for (let v = 0; v < count; v++) sum += column[v]!
  else for (let v = 0; v < count; v++) sum += mask[v]! * column[v]! // without a branch that is missed at every other visit
  return sum
}

/** The part of a day that a span covers; null is all of it. */
interface Part {
  readonly group: number
  readonly window: TimeWindow | null
}

export function partsOn(spans: readonly Span[], day: DayBounds): Part[] {
  const parts: Part[] = []
  for (let group = firstOn(spans, day); group < spans.length; group++) {
    const span = spans[group]
    if (!span || isAfter(span, day)) break
    const window = windowOn(span, day)
    if (window !== undefined) parts.push({ group, window })
  }
  return parts
}

/** Index of the first span that does not end before a day. */
function firstOn(spans: readonly Span[], day: DayBounds): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    const span = spans[middle]
    if (span && isBefore(span, day)) low = middle + 1
    else high = middle
  }
  return low
}

function addPersons(people: PeopleTally, scanned: Omit<Scanned, 'window'>, parts: readonly Part[]): void {
  people.begin(scanned.day)
  const cut = parts.filter((part): part is Part & { window: TimeWindow } => part.window !== null)
  for (const { group, window } of parts) if (window === null) scanPersons(people, { ...scanned, window }, group)
  if (cut.length === 0) return
  scanWindows(
    people,
    scanned,
    cut.map(one => one.window),
    cut.map(one => one.group),
  )
}

/** Whether a sealed day stores all of it: the whole day, or whole hours. */
function areStored(parts: readonly Part[], day: DayBounds): boolean {
  for (const { window } of parts) if (window !== null && !isHour(window, day)) return false
  return true
}

function addStored(tally: Tally, { sums }: Day, parts: readonly Part[], stored: Stored): void {
  for (const { group, window } of parts) {
    if (window === null) addStoredSums(tally, sums, stored, group)
    else tally.addGroup(group, sums.hour, window.from / HOUR_MS)
  }
}

/** Whether a window is an hour of the day, the last of which may be shorter. */
export const isHour = ({ from, to }: TimeWindow, { startsAt, endsAt }: DayBounds): boolean =>
  from >= 0 && from % HOUR_MS === 0 && (to === from + HOUR_MS || Math.min(to, from + HOUR_MS) >= endsAt - startsAt)
