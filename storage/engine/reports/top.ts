/**
 * Ranks groups and returns at most `limit` from `offset` on, largest first by default; equal ranks are sorted
 * by name, so that pages of a list neither repeat nor miss a row. Groups without a visit are left out.
 */
import type { Order, Rank, Sort } from '../vocabulary/scope.ts'
import { best } from '../scan/best.ts'
import type { Tally } from '../days/tally.ts'

export interface Ranking {
  readonly sort: Sort
  /** Default `desc`: largest first. */
  readonly order?: Order | undefined
  /** `gain` and `loss` show only groups whose value rose, or fell, including those that are in one of the spans only. */
  readonly rank?: Rank | undefined
  readonly offset: number
  readonly limit: number
}

export function topGroups(tally: Tally, name: (group: number) => string, ranking: Ranking): number[] {
  return rankedGroups(tally, name, ranking).groups
}

/**
 * @param before the span compared with, for `gain` and `loss`
 * @returns the groups of the page, and the number of groups on all pages
 */
export function rankedGroups(
  tally: Tally,
  name: (group: number) => string,
  { sort, order = 'desc', rank = 'value', offset, limit }: Ranking,
  before: Tally | null = null,
): { groups: number[]; total: number } {
  // Other hits count as pageviews, so that events and goals can be sorted by them.
  const valueIn = (of: Tally, group: number): number => of.figure(group, sort) + (sort === 'pageviews' ? of.figure(group, 'events') : 0)
  const gainOf = (group: number): number => valueIn(tally, group) - (before ? valueIn(before, group) : 0)
  const sizeOf = { value: (group: number) => valueIn(tally, group), gain: gainOf, loss: (group: number) => -gainOf(group) }[rank]
  const isShown = rank === 'value' ? (group: number) => tally.figure(group, 'visits') !== 0 : (group: number) => sizeOf(group) > 0
  const sign = order === 'desc' ? 1 : -1
  const compare = (a: number, b: number): number =>
    sign * (sizeOf(b) - sizeOf(a)) || (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a - b)

  const groups: number[] = []
  for (let group = 0; group < tally.groups; group++) if (isShown(group)) groups.push(group)
  const total = groups.length
  return { groups: best(groups, compare, offset + limit).slice(offset), total }
}
