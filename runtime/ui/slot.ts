/**
 * A place in a view that another area fills. Wings have an order, so the page of a goal cannot import the reports; the
 * area of goals declares a slot, and the area of the reports fills it with figures.
 */
import type { TSchema } from '@sinclair/typebox'
import type { Face } from '../table/face.ts'
import type { Content } from '../table/page.ts'
import type { Slot, ViewedPage } from './viewed-page.ts'

/** A filled slot as the pages call it. */
export interface Fill extends Face {
  readonly kind: 'fill'
  readonly slot: Slot<never, unknown>
  /** @param given what the view passes, and `page` */
  make(given: never): unknown
  /** Records whose pages need no tab of their own, because the slot shows them. */
  readonly parts?: readonly TSchema[] | undefined
}

/** Declares a slot in the area whose view has it, in `records.ts`. @param name a noun phrase */
export const slot = <Given, Made = Content>(name: string): Slot<Given, Made> => Object.freeze({ name })

/**
 * Fills a slot of another area. One area may fill it; if none does, the view receives undefined.
 *
 * @example
 * const goalFigures = slot<{ readonly goal: string }>('figures of a goal')
 * const figures = fill(goalFigures, ({ goal }) => <p>{goal}</p>)
 * assert.equal(String(figures.make({ goal: 'Sign-up' } as never)), '<p>Sign-up</p>')
 */
export function fill<Given, Made>(
  slot: Slot<Given, Made>,
  make: (given: Given & { readonly page: ViewedPage }) => Made | undefined | Promise<Made | undefined>,
  { parts }: Pick<Fill, 'parts'> = {},
): Fill {
  return Object.freeze({ kind: 'fill', slot, make, parts })
}

/** A link to the remedy of a note of a report, by its code. */
export const afterNote = slot<{ readonly code: string }>('link after a note')
