/** What questions and answers are made of: plain data, so that it crosses threads and knows no database. */
import type { Operator } from './operators.ts'

/**
 * A span of time to count. `whole`: exactly the local days `fromDay` to `toDay` (both inclusive), as the site's
 * days were cut when the hits came. Otherwise the instants `from` ≤ t < `to`, epoch ms, all of which lie in days from
 * `fromDay` to `toDay`; those may be more.
 */
export interface Span {
  readonly from: number
  readonly to: number
  readonly fromDay: number
  readonly toDay: number
  readonly whole: boolean
}

/**
 * After its site moved to another time zone, a day may hold instants whose date today is up to so many days before or
 * after the day's number.
 */
export const ZONE_CHANGE_DAYS = 2

/** One condition on the values of a dimension. Bounds of `gt`, `lt` and `between` are numbers, the rest texts. */
export interface Test {
  readonly dimension: string
  readonly operator: Operator
  readonly values: readonly (string | number)[]
  /** Where it stood in what was asked, for notes: `/filters/2`. */
  readonly pointer: string
}
/** At least one of them. */
export interface Any {
  readonly any: readonly Condition[]
}
export type Condition = Test | Any

/** What a visit may complete: a pageview of a page, or an event, perhaps with a property of one value. */
export interface Goal {
  readonly id: string
  readonly name: string
  readonly kind: 'page' | 'event'
  /** Page pattern: `*` is any text without a slash, `**` any text. */
  readonly path: string | null
  readonly event: string | null
  readonly property: string | null
  readonly value: string | null
}

export const SORTS = Object.freeze(['visitors', 'visits', 'pageviews', 'revenue'] as const)
export type Sort = (typeof SORTS)[number]

export const ORDERS = Object.freeze(['desc', 'asc'] as const)
export type Order = (typeof ORDERS)[number]

/** What rows are ranked by: what they are, or how much more or less that is than in the comparison. */
export const RANKS = Object.freeze(['value', 'gain', 'loss'] as const)
export type Rank = (typeof RANKS)[number]

/** Whose visits are counted. */
export interface Scope {
  /** The site's number. */
  readonly site: number
  /** All of them hold. */
  readonly where: readonly Condition[]
  /** The site's goals; only needed where a condition or the report is about goals. */
  readonly goals: readonly Goal[]
}

/** What the caller should know about how an answer came about. */
export interface Note {
  readonly code: string
  readonly message: string
}

export const isAny = (condition: Condition): condition is Any => 'any' in condition
