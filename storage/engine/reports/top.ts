/**
 * Ranks groups and returns at most `limit` from `offset` on, largest first by default; equal ranks are sorted
 * by name, so that pages of a list neither repeat nor miss a row. Groups without a visit or money are left out.
 */
import type { Order, Rank, Sort } from '../vocabulary/scope.ts'
import { best } from '../scan/best.ts'
import { broughtOf } from '../scan/viewing-visits.ts'
import type { Tally } from '../days/tally.ts'
import type { PeopleTally } from '../scan/people.ts'
import { metrics, type RateBases } from '../vocabulary/metrics.ts'
import type { CountedSums } from '../vocabulary/sums.ts'

export interface Ranking {
  readonly sort: Sort
  /** Default `desc`: largest first. */
  readonly order?: Order | undefined
  /** `gain` and `loss` show only groups whose value rose, or fell, including those that are in one of the spans only. */
  readonly rank?: Rank | undefined
  readonly offset: number
  readonly limit: number
}

/** The tallies that groups are ranked by. */
export interface Ranked {
  readonly rows: Tally
  /** Revenue and conversions of the visits that viewed a page; null if they were not counted. */
  readonly brought?: Tally | null
  /** Distinct persons; null if they were not counted. */
  readonly people?: PeopleTally | null
  /** The base of rates of a group, if groups are ranked by one. */
  bases?(group: number): RateBases
}

export const sumsOf = ({ rows, brought, people }: Ranked, group: number): CountedSums => ({
  ...rows.of(group),
  ...people?.of(group),
  ...(brought && broughtOf(brought, group)),
})

/** By sort. Hits that are not pageviews count as such, so that events and goals can be sorted by them. */
const counts: Readonly<Partial<Record<Sort, (ranked: Ranked, group: number) => number>>> & {
  readonly pageviews: (ranked: Ranked, group: number) => number
} = Object.freeze({
  visitors: ({ rows }, group) => rows.figure(group, 'visitors'),
  visits: ({ rows }, group) => rows.figure(group, 'visits'),
  pageviews: ({ rows }, group) => rows.figure(group, 'pageviews') + rows.figure(group, 'events'),
  revenue: ({ rows }, group) => rows.figure(group, 'revenue'),
  visit_revenue: ({ brought }, group) => brought?.figure(group, 'revenue') ?? 0,
  conversions: (ranked, group) => ranked.brought?.figure(group, 'events') ?? counts.pageviews(ranked, group),
})

/** Any other metric is ranked as it is shown. */
const valueOf =
  (sort: Sort) =>
  (ranked: Ranked, group: number): number =>
    metrics[sort].of(sumsOf(ranked, group), ranked.bases?.(group) ?? noBases)

const noBases: RateBases = { allVisitors: 0, convertible: 0 }

export function topGroups(tally: Tally, name: (group: number) => string, ranking: Ranking): number[] {
  return rankedGroups({ rows: tally }, name, ranking).groups
}

/**
 * @param before the span compared with, for `gain` and `loss`
 * @returns the groups of the page, and the number of groups on all pages
 */
export function rankedGroups(
  now: Ranked,
  name: (group: number) => string,
  { sort, order = 'desc', rank = 'value', offset, limit }: Ranking,
  before: Ranked | null = null,
): { groups: number[]; total: number } {
  const valueIn = counts[sort] ?? valueOf(sort)
  const gainOf = (group: number): number => valueIn(now, group) - (before ? valueIn(before, group) : 0)
  const sizeOf = { value: (group: number) => valueIn(now, group), gain: gainOf, loss: (group: number) => -gainOf(group) }[rank]
  const isShown = rank === 'value' ? (group: number) => now.rows.hasRow(group) : (group: number) => sizeOf(group) > 0
  /** Rates take longer to compute than to keep. */
  const known = new Map<number, number>()
  const of = (group: number): number => known.get(group) ?? sizeOf(group)
  const sign = order === 'desc' ? 1 : -1
  const compare = (a: number, b: number): number => sign * (of(b) - of(a)) || (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a - b)

  const groups: number[] = []
  for (let group = 0; group < now.rows.groups; group++) if (isShown(group)) groups.push(group)
  if (!counts[sort]) for (const group of groups) known.set(group, sizeOf(group))
  const total = groups.length
  return { groups: best(groups, compare, offset + limit).slice(offset), total }
}
