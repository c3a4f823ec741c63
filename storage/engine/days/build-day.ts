/** Builds the columns of a day from lists of the values of its rows. */
import { type VisitDimension, visitDimensions } from '../../tables/index.ts'
import type { Day, Hits, Props, Visits } from './day.ts'
import { type Column, columnOf } from '../columns/column.ts'
import type { DayBounds } from './day.ts'
import { sumsOf } from './sums.ts'

export const visitParts = ['visit_id', 'duration', 'pageviews', 'bounce', 'revenue', ...visitDimensions] as const
export const hitParts = ['visit_id', 'seq', 'at', 'page', 'event', 'revenue', 'engaged_ms', 'scroll'] as const
export const propParts = ['visit_id', 'seq', 'key', 'value'] as const

/** Rows as one list for each column: of equal length, in any order. */
export type Lists<Name extends string> = Readonly<Record<Name, readonly number[]>>

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
  const hits = hitColumns(hitLists, cut.startsAt)
  const props = propColumns(lists.props, visitLists.visit_id, hitLists.seq, firstHit)
  return dayOf(cut, visits, hits, props)
}

export function dayOf({ day, startsAt, endsAt }: DayBounds, visits: Visits, hits: Hits, props: Props): Day {
  const bytes = sizeOf(visits) + sizeOf(hits) + sizeOf(props)
  const built = { day, startsAt, endsAt, visits, hits, props, vitals: null, clicks: null, bytes }
  return Object.freeze({ ...built, sums: sumsOf(built) })
}

/** Sorted by some of the lists; unchanged if already sorted, as by a primary key. */
function inOrder<Name extends string>(lists: Lists<Name>, by: readonly NoInfer<Name>[]): Lists<Name> {
  const keys = by.map(name => lists[name])
  const order = (a: number, b: number): number => {
    for (const key of keys) {
      const difference = at(key, a) - at(key, b)
      if (difference !== 0) return difference
    }
    return 0
  }
  const length = keys[0]?.length ?? 0
  let sorted = true
  for (let i = 1; i < length && sorted; i++) sorted = order(i - 1, i) <= 0
  if (sorted) return lists
  const places = Array.from({ length }, (_, i) => i).sort(order)
  const entries = (Object.keys(lists) as Name[]).map(name => [name, places.map(place => at(lists[name], place))])
  return Object.fromEntries(entries) as Lists<Name> // one entry for each list
}

const at = (numbers: readonly number[], place: number): number => numbers[place] ?? 0

/** Index of each visit's first hit, and the number of hits at the end. */
function firstHits(visits: readonly number[], visitsOfHits: readonly number[]): Uint32Array {
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

const VISITS_A_VISITOR = 256

function visitColumns(lists: DayLists['visits'], firstHit: Uint32Array, amounts: readonly number[]): Visits {
  const visitor = lists.visit_id.map(id => Math.floor(id / VISITS_A_VISITOR))
  const dimensions = visitDimensions.map(name => [name, columnOf(lists[name])])
  return {
    ...(Object.fromEntries(dimensions) as Record<VisitDimension, Column>), // one entry for each dimension
    count: visitor.length,
    visitor: columnOf(visitor),
    number: columnOf(lists.visit_id.map(id => id % VISITS_A_VISITOR)),
    visitors: (visitor.at(-1) ?? 0) + 1,
    pageviews: columnOf(lists.pageviews),
    bounce: columnOf(lists.bounce),
    duration: columnOf(lists.duration),
    revenue: columnOf(lists.revenue),
    purchases: purchasesOf(firstHit, amounts),
    firstHit,
  }
}

/** For each visit, how many of its hits have an amount above 0. */
function purchasesOf(firstHit: Uint32Array, amounts: readonly number[]): Column {
  const purchases = Array.from({ length: firstHit.length - 1 }, () => 0)
  for (let v = 0, h = 0; v < purchases.length; v++) {
    for (const end = firstHit[v + 1] ?? 0; h < end; h++) if (at(amounts, h) > 0) purchases[v] = at(purchases, v) + 1
  }
  return columnOf(purchases)
}

function hitColumns(lists: DayLists['hits'], startsAt: number): Hits {
  return {
    count: lists.seq.length,
    at: columnOf(lists.at.map(instant => instant - startsAt)),
    page: columnOf(lists.page),
    event: columnOf(lists.event),
    revenue: columnOf(lists.revenue),
    engaged: columnOf(lists.engaged_ms),
    scroll: columnOf(lists.scroll),
  }
}

function propColumns(lists: DayLists['props'], visits: readonly number[], seqs: readonly number[], firstHit: Uint32Array): Props {
  const places = new Map(lists.key.length === 0 ? [] : visits.map((id, v) => [id, v]))
  const hit = lists.visit_id.map((id, i) => {
    const v = places.get(id) ?? visits.length
    for (let h = firstHit[v] ?? 0, end = firstHit[v + 1] ?? 0; h < end; h++) if (seqs[h] === lists.seq[i]) return h
    throw new Error('a property of a day does not fit its hits')
  })
  const sorted = inOrder({ hit, key: lists.key, value: lists.value }, ['hit', 'key'])
  return {
    count: hit.length,
    hit: Uint32Array.from(sorted.hit),
    key: columnOf(sorted.key),
    value: columnOf(sorted.value),
  }
}

/** Overhead of a typed array in bytes. */
const OBJECT = 200

function sizeOf(columns: object): number {
  let bytes = 0
  for (const column of Object.values(columns)) if (ArrayBuffer.isView(column)) bytes += column.byteLength + OBJECT
  return bytes
}
