/**
 * Ranks groups and returns at most `limit` from `offset` on, highest first; equal ranks are sorted by name, so that
 * pages of a list neither repeat nor miss a row. Groups without a visit are left out.
 */
import type { Sort } from '../vocabulary/scope.ts'
import type { Tally } from '../days/tally.ts'

export function topGroups(
  tally: Tally,
  name: (group: number) => string,
  { sort, offset, limit }: { sort: Sort; offset: number; limit: number },
): number[] {
  // Other hits count as pageviews, so that events and goals can be sorted by them.
  const rank = (group: number): number => tally.figure(group, sort) + (sort === 'pageviews' ? tally.figure(group, 'events') : 0)
  const before = (a: number, b: number): number => rank(b) - rank(a) || (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a - b)

  const groups: number[] = []
  for (let group = 0; group < tally.groups; group++) if (tally.figure(group, 'visits') !== 0) groups.push(group)
  return best(groups, before, offset + limit).slice(offset)
}

/** The first `count` in order. If few of many are wanted, most are rejected with one comparison. */
function best(items: number[], before: (a: number, b: number) => number, count: number): number[] {
  if (count > 1_000 || count * 4 > items.length) return items.sort(before).slice(0, count)
  const kept: number[] = []
  for (const item of items) {
    const last = kept[count - 1]
    if (last !== undefined && before(item, last) > 0) continue
    let low = 0
    let high = kept.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (before(item, kept[middle] ?? 0) < 0) high = middle
      else low = middle + 1
    }
    kept.splice(low, 0, item)
    if (kept.length > count) kept.pop()
  }
  return kept
}
