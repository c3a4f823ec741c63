/**
 * Texts are kept once a site and dictionary, and stand in rows as ids: dense from 1, 0 is ''. These are the numbers
 * in `dict.dim`; they are stored, so a row is added, never renumbered.
 */
import { type VisitDimension, visitDimensions } from '../tables/index.ts'

/** Every column of ids, and the dictionary it points into. Columns with the same number share their values. */
export const dictionaryOf = Object.freeze({
  page: 1,
  entry_page: 1,
  exit_page: 1,
  event: 2,
  prop_key: 3,
  selector: 4,
  channel: 5,
  source: 6,
  referrer: 7,
  utm_source: 8,
  utm_medium: 9,
  utm_campaign: 10,
  utm_content: 11,
  utm_term: 12,
  country: 13,
  region: 14,
  city: 15,
  browser: 16,
  browser_version: 17,
  os: 18,
  os_version: 19,
  device: 20,
  screen: 21,
  language: 22,
  hostname: 23,
} satisfies Record<VisitDimension | 'page' | 'event' | 'prop_key' | 'selector', number>)

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
