/** Builds the columns of a day from lists of the values of its rows. */
import { type VisitDimension, visitDimensions } from '../../tables/index.ts'
import type { Day, DayBounds, Hits, Props, Visits } from './day.ts'
import { type Column, columnOf, firstNotBefore } from '../columns/column.ts'
import { sumsOf } from './sums.ts'
import { VISITS_PER_VISITOR } from '../../hits/visit-ids.ts'

export const visitParts = ['visit_id', 'duration', 'pageviews', 'bounce', 'revenue', 'person', ...visitDimensions] as const
export const hitParts = ['visit_id', 'seq', 'at', 'page', 'event', 'revenue', 'engaged_ms', 'scroll', 'host'] as const
export const propParts = ['visit_id', 'seq', 'key', 'value'] as const

/** Rows as one list for each column: of equal length, in any order. */
export type Lists<Name extends string> = Readonly<Record<Name, Numbers>>
/** Many rows have columns of the narrowest width, outside the heap. */
export type Numbers = readonly number[] | Column

export interface DayLists {
  readonly visits: Lists<(typeof visitParts)[number]>
  readonly hits: Lists<(typeof hitParts)[number]>
  readonly props: Lists<(typeof propParts)[number]>
}

/** @throws Error if hits or properties do not match the visits: they were not read from one snapshot */
export function buildDay(cut: DayBounds, lists: DayLists): Day {
  const visitLists = inOrder(lists.visits, ['visit_id'])
  // `seq` is in order of arrival, which late hits and joined visits do not follow: so sort.
  const hitLists = inOrder(lists.hits, ['visit_id', 'at', 'seq'])
  const firstHit = firstHits(visitLists.visit_id, hitLists.visit_id)
  const visits = visitColumns(visitLists, firstHit, hitLists.revenue)
  const hits = hitColumns(hitLists, cut.startsAt, hostsOf(hitLists.host, { firstHit, hostname: visits.hostname }))
  const props = propColumns({ lists: lists.props, visits: visitLists.visit_id, seqs: hitLists.seq, firstHit })
  return dayOf(cut, { visits, hits, props })
}

export function dayOf({ day, startsAt, endsAt }: DayBounds, { visits, hits, props }: { visits: Visits; hits: Hits; props: Props }): Day {
  const bytes = sizeOf(visits) + sizeOf(hits) + sizeOf(props)
  const built = { day, startsAt, endsAt, visits, hits, props, vitals: null, clicks: null, bytes }
  return Object.freeze({ ...built, sums: sumsOf(built) })
}

/**
 * Sorted by some of the lists; unchanged if already sorted, as by a primary key. Rows that are sorted by the first of
 * them are sorted within its equal values, as most of those are in order.
 */
function inOrder<Name extends string>(lists: Lists<Name>, by: readonly NoInfer<Name>[]): Lists<Name> {
  const keys = by.map(name => lists[name])
  const [first = []] = keys
  const order = (a: number, b: number): number => {
    for (const key of keys) {
      const difference = at(key, a) - at(key, b)
      if (difference !== 0) return difference
    }
    return 0
  }
  const { length } = first
  let unsorted = 1
  while (unsorted < length && order(unsorted - 1, unsorted) <= 0) unsorted++
  if (unsorted >= length) return lists
  const places = Uint32Array.from({ length }, (_, i) => i)
  let isRising = true
  for (let i = 1; i < length && isRising; i++) isRising = at(first, i - 1) <= at(first, i)
  if (!isRising) places.sort(order)
  for (let from = 0, to = 0; isRising && from < length; from = to) {
    let sorted = true
    for (to = from + 1; to < length && at(first, from) === at(first, to); to++) sorted &&= order(to - 1, to) <= 0
    if (!sorted) places.subarray(from, to).sort(order)
  }
  const entries = (Object.keys(lists) as Name[]).map(name => [name, mapped(places, place => at(lists[name], place))])
  return Object.fromEntries(entries) as Lists<Name> // one entry for each list
}

const asColumn = (numbers: Numbers): Column => (ArrayBuffer.isView(numbers) ? numbers : columnOf(numbers))

const at = (numbers: ArrayLike<number>, place: number): number => numbers[place] ?? 0

/** The narrowest column of what `of` makes of each number. */
function mapped(numbers: ArrayLike<number>, of: (n: number) => number): Column {
  const out = new Float64Array(numbers.length)
  for (let i = 0; i < numbers.length; i++) out[i] = of(at(numbers, i))
  return columnOf(out)
}

/** Index of each visit's first hit, and the number of hits at the end. */
function firstHits(visits: Numbers, visitsOfHits: Numbers): Uint32Array {
  const first = new Uint32Array(visits.length + 1)
  let hit = 0
  for (let v = 0; v < visits.length; v++) {
    first[v] = hit
    while (hit < visitsOfHits.length && visitsOfHits[hit] === visits[v]) hit++
  }
  first[visits.length] = hit
  if (hit !== visitsOfHits.length) throw new Error('the hits of a day do not fit its visits')
  return first
}

function visitColumns(lists: DayLists['visits'], firstHit: Uint32Array, amounts: Numbers): Visits {
  const visitor = mapped(lists.visit_id, id => Math.floor(id / VISITS_PER_VISITOR))
  const dimensions = visitDimensions.map(name => [name, asColumn(lists[name])])
  return {
    ...(Object.fromEntries(dimensions) as Record<VisitDimension, Column>), // one entry for each dimension
    count: visitor.length,
    visitor,
    number: mapped(lists.visit_id, id => id % VISITS_PER_VISITOR),
    visitors: (visitor.at(-1) ?? 0) + 1,
    pageviews: asColumn(lists.pageviews),
    bounce: asColumn(lists.bounce),
    duration: asColumn(lists.duration),
    revenue: asColumn(lists.revenue),
    purchases: purchasesOf(firstHit, amounts),
    person: asColumn(lists.person),
    firstHit,
  }
}

/** For each visit, how many of its hits have an amount above 0. */
function purchasesOf(firstHit: Uint32Array, amounts: Numbers): Column {
  const purchases = new Uint32Array(firstHit.length - 1)
  for (let v = 0, h = 0; v < purchases.length; v++) {
    for (const end = firstHit[v + 1] ?? 0; h < end; h++) if (at(amounts, h) > 0) purchases[v] = at(purchases, v) + 1
  }
  return columnOf(purchases)
}

/** The host of each hit: its own, or the visit's if it has none. */
export function hostsOf(hosts: ArrayLike<number>, { firstHit, hostname }: { firstHit: ArrayLike<number>; hostname: Column }): Column {
  const out = new Uint32Array(hosts.length)
  for (let v = 0, h = 0; v < hostname.length; v++) {
    for (const end = at(firstHit, v + 1); h < end; h++) out[h] = at(hosts, h) || at(hostname, v)
  }
  return columnOf(out)
}

function hitColumns(lists: DayLists['hits'], startsAt: number, host: Column): Hits {
  return {
    count: lists.seq.length,
    at: mapped(lists.at, instant => instant - startsAt),
    page: asColumn(lists.page),
    event: asColumn(lists.event),
    revenue: asColumn(lists.revenue),
    engaged: asColumn(lists.engaged_ms),
    scroll: asColumn(lists.scroll),
    host,
  }
}

interface PropColumns {
  readonly lists: DayLists['props']
  readonly visits: Numbers
  readonly seqs: Numbers
  readonly firstHit: Uint32Array
}

function propColumns({ lists, visits, seqs, firstHit }: PropColumns): Props {
  const visitColumn = lists.key.length === 0 ? none : asColumn(visits)
  const hitOf = hitFinder(firstHit, seqs)
  const hit = Uint32Array.from({ length: lists.key.length }, (_, i) => {
    const visit = at(lists.visit_id, i)
    const v = firstNotBefore(visitColumn, visit)
    const found = visitColumn[v] === visit ? hitOf(v, at(lists.seq, i)) : undefined
    if (found === undefined) throw new Error('a property of a day does not fit its hits')
    return found
  })
  const sorted = inOrder({ hit, key: lists.key, value: lists.value }, ['hit', 'key'])
  return {
    count: hit.length,
    hit: Uint32Array.from(sorted.hit),
    key: asColumn(sorted.key),
    value: asColumn(sorted.value),
  }
}

const none = new Uint8Array(0)
/** Most hits of a visit that are searched one by one. */
const FEW_HITS = 32

/** Finds a hit by its visit's place and its `seq`. */
function hitFinder(firstHit: Uint32Array, seqs: Numbers): (visit: number, seq: number) => number | undefined {
  const bySeq = new Map<number, Map<number, number>>()
  return (visit, seq) => {
    const [from, to] = [at(firstHit, visit), at(firstHit, visit + 1)]
    if (to - from <= FEW_HITS) {
      for (let h = from; h < to; h++) if (seqs[h] === seq) return h
      return undefined
    }
    let hits = bySeq.get(visit)
    if (!hits) {
      bySeq.set(visit, (hits = new Map()))
      for (let h = from; h < to; h++) hits.set(at(seqs, h), h)
    }
    return hits.get(seq)
  }
}

/** Overhead of a typed array in bytes. */
const OBJECT = 200

function sizeOf(columns: object): number {
  let bytes = 0
  for (const column of Object.values(columns)) if (ArrayBuffer.isView(column)) bytes += column.byteLength + OBJECT
  return bytes
}
