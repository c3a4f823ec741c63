/**
 * Texts are kept once a site and dictionary, and stand in rows as ids: dense from 1, 0 is ''. These are the numbers
 * in `dict.dim`; they are stored, so a row is added, never renumbered.
 */
import { type VisitDimension, visitDimensionNumbers, visitDimensions } from '../tables/index.ts'

const ofVisits = Object.fromEntries(visitDimensions.map(name => [name, visitDimensionNumbers[name].dictionary]))

/** Every column of ids, and the dictionary it points into. Columns with the same number share their values. */
export const dictionaryOf = Object.freeze({
  ...(ofVisits as Record<VisitDimension, number>), // one entry a dimension
  page: visitDimensionNumbers.entry_page.dictionary,
  event: 2,
  prop_key: 3,
  selector: 4,
})

/** The name of an event that is deleted moves to a new id: those of events are looked up in every transaction. */
export const mayMove = (dictionary: number): boolean => dictionary === dictionaryOf.event

/**
 * The values of one property, by the id of its key (`prop_key`). A dictionary a key keeps ids dense within a
 * breakdown, and has `contains` and `regex` look at that key's values alone.
 */
export const propertyDictionary = (key: number): number => BELOW_PROPERTIES + key
const BELOW_PROPERTIES = 1000
export const isOfProperty = (dictionary: number): boolean => dictionary > BELOW_PROPERTIES

/** The dimensions a visit takes over from its first hit. */
export type FirstHitDimension = Exclude<VisitDimension, 'entry_page' | 'exit_page'>

export const firstHitDimensions: readonly FirstHitDimension[] = visitDimensions.filter(
  dimension => dimension !== 'entry_page' && dimension !== 'exit_page',
)
