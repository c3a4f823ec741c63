/** Questions and answers as a whole: plain data, so that they cross threads and know no database. */
import type { Asked, Found, FoundBy, ReportName } from './reports/index.ts'
import type { Note, Scope } from './vocabulary/scope.ts'

/** One report, or several under the same conditions, as they are in one snapshot. */
export interface Query extends Scope {
  readonly asked: Asked | SeveralAsked
}
export interface SeveralAsked {
  readonly report: 'several'
  readonly each: readonly Asked[]
}
export interface Several {
  readonly report: 'several'
  /** One for each that was asked, in that order. */
  readonly each: Found[]
}

type AllFound = { readonly [R in ReportName | 'several']: R extends ReportName ? FoundBy<R> : Several }

/** What was found, and what the caller should know about how. */
export type Answered<R extends keyof AllFound> = AllFound[R] & { readonly notes: Note[] }
export type Answer = (Found | Several) & { readonly notes: Note[] }
