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
  /** `gain` and `loss` show only groups whose value rose, or fell, including groups that exist in only one of the spans. */
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

/** Values by sort. `pageviews` includes all other hits, so that events and goals can be sorted by it. */
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

/** Other metrics are ranked by the shown value. */
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
  ranked: Ranked,
  name: (group: number) => string,
  { sort, order = 'desc', rank = 'value', offset, limit }: Ranking,
  before: Ranked | null = null,
): { groups: number[]; total: number } {
  const valueIn = counts[sort] ?? valueOf(sort)
  const gainOf = (group: number): number => valueIn(ranked, group) - (before ? valueIn(before, group) : 0)
  const sizeOf = { value: (group: number) => valueIn(ranked, group), gain: gainOf, loss: (group: number) => -gainOf(group) }[rank]
  const isShown = rank === 'value' ? (group: number) => ranked.rows.hasRow(group) : (group: number) => sizeOf(group) > 0
  /** Metrics of each group, as they take longer to compute than to look up. */
  const known = new Map<number, number>()
  const rankOf = (group: number): number => known.get(group) ?? sizeOf(group)
  const sign = order === 'desc' ? 1 : -1
  const compare = (a: number, b: number): number =>
    sign * (rankOf(b) - rankOf(a)) || (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a - b)

  const groups: number[] = []
  for (let group = 0; group < ranked.rows.groups; group++) if (isShown(group)) groups.push(group)
  if (!counts[sort]) for (const group of groups) known.set(group, sizeOf(group))
  const total = groups.length
  return { groups: best(groups, compare, offset + limit).slice(offset), total }
}
