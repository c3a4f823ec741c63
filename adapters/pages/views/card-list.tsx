/** A list whose records are cards. */
import { CardList, type ListedCard } from '../../../runtime/ui/card-list.tsx'
import { list, type Row } from './read.ts'
import type { Seen, View } from './view.ts'

/** Names of the ids of records, where the viewer may list them. */
export type Named = ReadonlyMap<string, string>

/**
 * @param card of one record. Without records the page says what the list is for.
 * @param names of ids that the cards speak of
 */
export const cardList = (
  card: (row: Row, seen: Seen, named: Named) => Omit<ListedCard, 'href'>,
  names: (rows: readonly Row[], seen: Seen) => Promise<Named> = async () => new Map(),
): View => ({
  async show(seen) {
    const rows = list(seen.data.rows)
    if (rows.length === 0) return undefined
    const named = await names(rows, seen)
    return { content: <CardList cards={rows.map(row => ({ ...card(row, seen, named), href: seen.hrefOf(row) }))} /> }
  },
})
