/** Queries and answers: plain data that can be sent to threads and does not depend on the database. */
import type { AnyQuestion, Found, FoundBy, ReportName } from './reports/index.ts'
import type { Note, Scope } from './vocabulary/scope.ts'

/** One report, or several under the same conditions, from one snapshot. */
export interface Query extends Scope {
  readonly asked: AnyQuestion | SeveralQuestion
}
export interface SeveralQuestion {
  readonly report: 'several'
  readonly each: readonly AnyQuestion[]
}
export interface Several {
  readonly report: 'several'
  /** One result for each requested report, in order. */
  readonly each: Found[]
}

type AllFound = { readonly [R in ReportName | 'several']: R extends ReportName ? FoundBy<R> : Several }

/** The result, and notes for the caller. */
export type Answered<R extends keyof AllFound> = AllFound[R] & { readonly notes: Note[] }
export type Answer = (Found | Several) & { readonly notes: Note[] }
