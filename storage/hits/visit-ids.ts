/** Ids of visits, which are unique within the day of a site: `visitor * VISITS_PER_VISITOR + number`. */

/** Most visits of a visitor on a day: the low byte of an id is the number of the visit, the rest the number of the visitor. */
export const VISITS_PER_VISITOR = 256
