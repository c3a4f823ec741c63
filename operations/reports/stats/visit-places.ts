/** Ids of visits and cursors of lists: the start of a visit, and its number on that day. */
import type { VisitPlace } from '../../../storage/engine/index.ts'

const PREFIX = 'vis_'
const form = /^([0-9a-z]{1,9})-([0-9a-z]{1,10})$/
const LATEST = 8_640_000_000_000_000
const BASE = 36

const written = ({ startedAt, id }: VisitPlace): string => `${startedAt.toString(BASE)}-${id.toString(BASE)}`

function read(text: string): VisitPlace | undefined {
  const [, start = '', number = ''] = form.exec(text) ?? []
  const place = { startedAt: Number.parseInt(start, BASE), id: Number.parseInt(number, BASE) }
  return start !== '' && place.startedAt <= LATEST && Number.isSafeInteger(place.id) && written(place) === text ? place : undefined
}

export const visitId = (place: VisitPlace): string => PREFIX + written(place)
/** Undefined for a text that is not an id of a visit. */
export const visitPlace = (id: string): VisitPlace | undefined => (id.startsWith(PREFIX) ? read(id.slice(PREFIX.length)) : undefined)

export const cursorOf = written
/** Undefined for a text that is not a cursor. */
export const placeIn = read
