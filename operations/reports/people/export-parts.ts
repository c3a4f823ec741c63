/** Cursors of the parts of an export: after which visit a part begins, and after how many hits of the next one. */
import { cursorOf, placeIn } from '../stats/index.ts'
import type { PartPlace } from './visits.ts'

const START = 'start'
export const firstPart: PartPlace = Object.freeze({ after: null, offset: 0 })

export const writtenPart = ({ after, offset }: PartPlace): string => `${after === null ? START : cursorOf(after)}.${offset}`

/** Undefined for a text that is not a cursor. */
export function partIn(cursor: string | undefined): PartPlace | undefined {
  if (cursor === undefined) return firstPart
  const [, place = '', offset = ''] = /^([a-z0-9-]+)\.(\d{1,12})$/.exec(cursor) ?? []
  const after = place === START ? null : placeIn(place)
  return after === undefined ? undefined : { after, offset: Number(offset) }
}
