/**
 * How many texts that were never seen before a site may bring in one day. What is beyond is kept as `(other)`, so that
 * a site that puts ids into its paths costs what its hits cost, and no dictionary grows without end.
 */
import { dictionaryOf, isOfProperty } from './dictionaries.ts'

/** New texts a site and day. A text that is known is always kept. */
export interface CardinalityLimits {
  /** Paths, and as many of each other dimension: sources, campaigns, cities … */
  readonly paths: number
  /** Names of events, and keys of properties: each key has values of its own. */
  readonly names: number
  /** Values of one property. */
  readonly values: number
}

export const defaultLimits: CardinalityLimits = Object.freeze({ paths: 20_000, names: 1_000, values: 5_000 })

/** Stands for what was beyond the limit, in every dictionary. */
export const OTHER = '(other)'

const NAMES: readonly number[] = [dictionaryOf.event, dictionaryOf.prop_key]

export function limitOf({ paths, names, values }: CardinalityLimits, dictionary: number): number {
  if (isOfProperty(dictionary)) return values
  return NAMES.includes(dictionary) ? names : paths
}
