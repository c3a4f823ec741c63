/** Parts of queries and answers: plain data that can be sent to threads and does not depend on the database. */
import { ofRows, ofSomeRows } from './metrics.ts'
import type { Operator } from './operators.ts'

/**
 * A span of time to count. `whole`: exactly the local days `fromDay` to `toDay` (both inclusive), with the boundaries
 * that they had when their hits came. Otherwise the instants `from` ≤ t < `to`, epoch ms, which lie within the days
 * `fromDay` to `toDay`.
 */
export interface Span {
  readonly from: number
  readonly to: number
  readonly fromDay: number
  readonly toDay: number
  readonly whole: boolean
}

/** Most days by which the number of a day may differ from the current date of its instants, after a change of the time zone. */
export const ZONE_CHANGE_DAYS = 2

/** One condition on the values of a dimension. Operands of `gt`, `lt` and `between` are numbers, others texts. */
export interface Test {
  readonly dimension: string
  readonly operator: Operator
  readonly values: readonly (string | number)[]
  /** Position in the input, for notes: `/filters/2`. */
  readonly pointer: string
}
/** Passes if at least one test does. */
export interface Any {
  readonly any: readonly Condition[]
}
/** Passes if one hit meets all of these: of tests on visits, a hit of such a visit. */
export interface All {
  readonly all: readonly Condition[]
}
export type Condition = Test | Any | All

/** A goal: a pageview or an event, also with properties; how far a page was read, how long it was looked at; or how long a visit was. */
export interface Goal {
  readonly id: string
  readonly name: string
  readonly kind: 'page' | 'event' | 'scroll' | 'duration'
  /** Page pattern: `*` is any text without a slash, `**` any text. */
  readonly path: string | null
  /** RE2 pattern that matches the page somewhere, instead of `path`. */
  readonly regex?: string | null
  readonly event: string | null
  readonly property: string | null
  readonly value: string | null
  /** Further properties, all of the same hit. */
  readonly properties?: readonly PropertyTest[]
  /** Of `scroll`: percent of the page. */
  readonly depth?: number | null
  /** Of `duration`, ms: of the view of a page; without a page, of the visit. */
  readonly lasting?: number | null
  readonly worth?: Worth | null
  /** The condition on each site of a group; a site that is not listed has no such goal. Undefined: the above, on every site. */
  readonly ofSites?: readonly GoalOfSite[] | undefined
}
export interface GoalOfSite {
  /** The site's id. */
  readonly site: string
  readonly goal: Omit<Goal, 'id' | 'name' | 'ofSites'>
}
export interface PropertyTest {
  readonly property: string
  /** Null: any. */
  readonly value: string | null
}
/** The worth of a completion, in minor units: a fixed amount, or the number in a property of its hit, which has `digits` decimals less. */
export type Worth = { readonly amount: number } | { readonly property: string; readonly digits: number }

/** Metrics of rows, by all of which rows can be sorted. */
export const SORTS = Object.freeze([...ofRows, ...ofSomeRows] as const)
export type Sort = (typeof SORTS)[number]

export const ORDERS = Object.freeze(['desc', 'asc'] as const)
export type Order = (typeof ORDERS)[number]

/** The rank of rows: by their value, or by its rise or fall since the comparison. */
export const RANKS = Object.freeze(['value', 'gain', 'loss'] as const)
export type Rank = (typeof RANKS)[number]

/** Days of the site's present time zone, for a time in which hits were stored under another one. Other days are stored as they are. */
export interface Calendar {
  /** Number of the first day. */
  readonly firstDay: number
  /** Where each day begins, and at the end where the last one ends, epoch ms. */
  readonly starts: readonly number[]
}

/** A site of a group. */
export interface Member {
  /** The site's number. */
  readonly site: number
  /** Its id, which is its value of the dimension `site`. */
  readonly id: string
  readonly zone: string
  readonly calendar?: Calendar | undefined
}

/** The visits to count. */
export interface Scope {
  /** The site's number. */
  readonly site: number
  /** The sites of a group, whose days are counted together. Undefined: it is a site. */
  readonly members?: readonly Member[] | undefined
  /**
   * Whether instants are times of the clock of each site of the group, written as UTC: 09:00Z is nine o'clock in Berlin, and in Tokyo.
   * The zone is then UTC.
   */
  readonly isClockTime?: boolean | undefined
  /** All must hold. */
  readonly where: readonly Condition[]
  /** The site's goals; only needed if a condition or the report is about goals. */
  readonly goals: readonly Goal[]
  /** The site's time zone, for the hours of visits. */
  readonly zone?: string | undefined
  /** Undefined if all days are stored with the boundaries of the present time zone. */
  readonly calendar?: Calendar | undefined
}

/** A note on how an answer was computed: its code and values. Reports say it in a sentence. */
export type Note =
  | { readonly code: 'bounces_of_entries' }
  /** Rows are only the values of the dimension that its own filters ask for. */
  | { readonly code: 'only_matching_hits'; readonly dimension: string }
  | { readonly code: 'hidden_events'; readonly events: readonly string[] }
  /** The site never had what a question names. */
  | { readonly code: 'no_such_value'; readonly of: 'page' | 'event'; readonly value: string }
  | { readonly code: 'no_such_value'; readonly of: 'condition'; readonly condition: Test }
  /** No visit can pass these filters together; or visits can, but no page meets all of them, so that no pageview counts. */
  | { readonly code: 'filters_exclude' | 'pages_apart'; readonly dimension: string; readonly pointers: readonly string[] }

export const isAny = (condition: Condition): condition is Any => 'any' in condition
export const isAll = (condition: Condition): condition is All => 'all' in condition
/** The tests of a condition, however deep. */
export function leavesOf(condition: Condition): readonly Test[] {
  if (isAny(condition)) return condition.any.flatMap(leavesOf)
  return isAll(condition) ? condition.all.flatMap(leavesOf) : [condition]
}
