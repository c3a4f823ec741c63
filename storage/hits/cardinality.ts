/**
 * Limits the new texts of a site and day. Further ones are stored as `(other)`, so that a site with ids in its paths
 * costs no more than its hits do, and no dictionary grows without bound.
 */
import { dictionaryOf, isOfProperty } from './dictionaries.ts'

/** Limits of new texts for each site and day. A known text is always kept. */
export interface CardinalityLimits {
  /** Paths; also the limit of every other dimension: sources, campaigns, cities … */
  readonly paths: number
  /** Names of events, and keys of properties; each key's values are limited separately. */
  readonly names: number
  /** Values of one property. */
  readonly values: number
}

export const defaultLimits: CardinalityLimits = Object.freeze({ paths: 20_000, names: 1_000, values: 5_000 })

/** Replaces texts beyond the limit, in every dictionary. */
export const OTHER = '(other)'

const NAMES: readonly number[] = [dictionaryOf.event, dictionaryOf.prop_key]

export function limitOf({ paths, names, values }: CardinalityLimits, dictionary: number): number {
  if (isOfProperty(dictionary)) return values
  return NAMES.includes(dictionary) ? names : paths
}
