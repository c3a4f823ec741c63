/** A list whose records are cards. */
import type { Child } from 'hono/jsx'
import type { Content } from '../table/page.ts'

export interface ListedCard {
  /** Leads to the record. */
  readonly name: string
  readonly href: string | undefined
  /** The state of the record, next to its name. */
  readonly beside: Content
  /** A line below the name. */
  readonly about: Child
}

export const CardList = ({ cards }: { cards: readonly ListedCard[] }) => (
  <ul class="watched">
    {cards.map(({ name, href, beside, about }) => (
      <li class="card">
        <p class="between">
          <a href={href}>
            <b>{name}</b>
          </a>
          {beside}
        </p>
        <p class="help">{about}</p>
      </li>
    ))}
  </ul>
)
