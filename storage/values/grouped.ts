/** Lists by key. */

/** Adds an item to the list of its key. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

/** The items by key, each list in their order. (`Map.groupBy` comes with Node 21.) */
export function grouped<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const lists = new Map<Key, Item[]>()
  for (const item of items) addTo(lists, keyOf(item), item)
  return lists
}
