/** A list whose records are cards. */
import type { Child } from 'hono/jsx'
import type { Content } from '../table/page.ts'
import { list, type Row } from '../../adapters/pages/views/read.ts'
import type { Seen, View } from '../../adapters/pages/views/view.ts'

interface Card {
  /** Leads to the record. */
  readonly name: string
  /** Its state, beside the name. */
  readonly beside: Content
  /** A line below. */
  readonly about: Child
}

/** Names of the ids of records, where the viewer may list them. */
export type Named = ReadonlyMap<string, string>

/**
 * @param card of one record. Without records the page says what the list is for.
 * @param names of ids that the cards speak of
 */
export const cardList = (
  card: (row: Row, seen: Seen, named: Named) => Card,
  names: (rows: readonly Row[], seen: Seen) => Promise<Named> = async () => new Map(),
): View => ({
  async show(seen) {
    const rows = list(seen.data.rows)
    if (rows.length === 0) return undefined
    const named = await names(rows, seen)
    return {
      content: (
        <ul class="watched">
          {rows.map(row => {
            const { name, beside, about } = card(row, seen, named)
            return (
              <li class="card">
                <p class="between">
                  <a href={seen.hrefOf(row)}>
                    <b>{name}</b>
                  </a>
                  {beside}
                </p>
                <p class="help">{about}</p>
              </li>
            )
          })}
        </ul>
      ),
    }
  },
})
