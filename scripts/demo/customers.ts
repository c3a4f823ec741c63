/** The shop's customers, whom it identifies once they have signed in: most buyers, and some of the others. */
import { createHash } from 'node:crypto'
import type { PersonOfHit } from '../../storage/hits/new-hit.ts'
import { DAYS } from './calendar.ts'
import { chance } from './chance.ts'

export interface Customer {
  readonly id: string
  readonly plan: 'club' | 'guest'
}

/** Days between a customer's first visit and a later one, on average. */
const RETURNS_WITHIN = 45
const [OF_BUYERS, OF_OTHERS, VISITS_EACH] = [0.7, 0.08, 4]

/**
 * The customer of a visit, or null. Draws from the visit's own key, so the traffic is the same with and without customers.
 * @param daysIn days since the beginning of the demo
 */
export function customerOf({
  key,
  daysIn,
  hasBought,
  hits,
}: {
  key: string
  daysIn: number
  hasBought: boolean
  hits: number
}): Customer | null {
  const own = chance(createHash('sha256').update(key).digest().readInt32BE())
  const isKnown = own.hit(hasBought ? OF_BUYERS : OF_OTHERS)
  const joined = daysIn - Math.floor(own.around(RETURNS_WITHIN))
  if (!isKnown || joined < 0) return null
  const aDay = Math.max(1, Math.round((hits * OF_OTHERS) / DAYS / VISITS_EACH))
  const number = joined * aDay + own.whole(0, aDay - 1)
  return { id: `customer-${1_000 + number}`, plan: number % 5 === 0 ? 'club' : 'guest' }
}

/** @param hashOf the keyed hash of an id, as the site makes it */
export const personOf = ({ id, plan }: Customer, hashOf: (id: string) => string): PersonOfHit => ({
  hash: hashOf(id),
  name: id,
  traits: { plan },
})
