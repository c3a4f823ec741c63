/**
 * Each site stores a text once in a dictionary; rows contain its id: dense from 1, and 0 is ''. The numbers of
 * dictionaries are stored (`dict.dim`): add rows, but never renumber them.
 */
import { type VisitDimension, visitDimensionNumbers, visitDimensions } from '../tables/index.ts'

const ofVisits = Object.fromEntries(visitDimensions.map(name => [name, visitDimensionNumbers[name].dictionary]))

/** The dictionary of every id column. Columns with the same number share their texts. */
export const dictionaryOf = Object.freeze({
  ...(ofVisits as Record<VisitDimension, number>), // one entry for each dimension
  page: visitDimensionNumbers.entry_page.dictionary,
  event: 2,
  prop_key: 3,
  selector: 4,
})

/**
 * The last text of a dictionary of which texts were deleted: no id is used again, and readers that know the dictionary find that it
 * has changed. It is longer than any text of a hit.
 */
export const GONE = '…'.repeat(342)

/** Has no texts: `new_texts` counts the new persons of a day under this number. */
export const PERSONS = 900

/** When an event is deleted, its name gets a new id: ids of events are therefore looked up in every transaction. */
export const mayMove = (dictionary: number): boolean => dictionary === dictionaryOf.event

/**
 * The dictionary of a property's values, by the id of its key (`prop_key`). One dictionary for each key keeps ids dense
 * within a breakdown, and lets `contains` and `regex` search only that key's values.
 */
export const propertyDictionary = (key: number): number => BELOW_PROPERTIES + key
const BELOW_PROPERTIES = 1000
export const isOfProperty = (dictionary: number): boolean => dictionary > BELOW_PROPERTIES

/** The dimensions that a visit takes from its first hit. */
export type FirstHitDimension = Exclude<VisitDimension, 'entry_page' | 'exit_page'>

export const firstHitDimensions: readonly FirstHitDimension[] = visitDimensions.filter(
  dimension => dimension !== 'entry_page' && dimension !== 'exit_page',
)
