/** Exports of this area for other areas: the visits of a person are read like all visits. */
export { newestVisits } from './newest-visits.ts'
export { cursorOf, placeIn } from './places.ts'
