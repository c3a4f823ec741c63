/** A list whose records are cards. */
import type { Child } from 'hono/jsx'
import type { Content } from '../../../runtime/page.ts'
import { list, type Row } from './read.ts'
import type { Seen, View } from './view.ts'

interface Card {
  /** Leads to the record. */
  readonly name: string
  /** Its state, beside the name. */
  readonly beside: Content
  /** A line below. */
  readonly about: Child
}

/** @param card of one record. Without records the page says what the list is for. */
export const cardList = (card: (row: Row, seen: Seen) => Card): View => ({
  async show(seen) {
    const rows = list(seen.data.rows)
    if (rows.length === 0) return undefined
    return {
      content: (
        <ul class="watched">
          {rows.map(row => {
            const { name, beside, about } = card(row, seen)
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
