/** Returns the first `count` items in order; may reorder `items`. If `count` is small, one comparison rejects most items. */
export function best<T>(items: T[], before: (a: T, b: T) => number, count: number): T[] {
  if (count > 1_000 || count * 4 > items.length) return items.sort(before).slice(0, count)
  const kept: T[] = []
  for (const item of items) {
    const last = kept[count - 1]
    if (last !== undefined && before(item, last) > 0) continue
    insert(kept, item, before)
    if (kept.length > count) kept.pop()
  }
  return kept
}

/** Inserts an item into a sorted list. */
export function insert<T>(list: T[], item: T, before: (a: T, b: T) => number): void {
  let low = 0
  let high = list.length
  while (low < high) {
    // `middle` is below `high`, so the item exists.
    const middle = (low + high) >> 1
    if (before(item, list[middle]!) < 0) high = middle
    else low = middle + 1
  }
  list.splice(low, 0, item)
}
