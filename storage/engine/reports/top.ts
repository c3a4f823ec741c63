/**
 * The groups that rank from `offset` on, at most `limit`, highest first; groups that rank alike stand by name, so
 * that pages of them neither repeat nor leave out a row. Groups without a visit are none.
 */
import type { Sort } from '../vocabulary/scope.ts'
import type { Tally } from '../days/tally.ts'

export function topGroups(
  tally: Tally,
  name: (group: number) => string,
  { sort, offset, limit }: { sort: Sort; offset: number; limit: number },
): number[] {
  // Hits that are no pageviews count as such, so that events and goals have an order by them.
  const rank = (group: number): number => tally.figure(group, sort) + (sort === 'pageviews' ? tally.figure(group, 'events') : 0)
  const before = (a: number, b: number): number => rank(b) - rank(a) || (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a - b)

  const groups: number[] = []
  for (let group = 0; group < tally.groups; group++) if (tally.figure(group, 'visits') !== 0) groups.push(group)
  return best(groups, before, offset + limit).slice(offset)
}

/** The first `count` in order. With few wanted of many, most are turned away by one comparison. */
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
