/** What a report is to the engine: something that looks at the days of some spans, one after another, then answers. */
import type { Day } from '../days/day.ts'
import type { Scope, Span } from '../vocabulary/question.ts'
import type { Resolver } from '../scan/resolve.ts'

export interface Pass<Answer> {
  /** What it wants to see. */
  readonly spans: readonly Span[]
  /** Is called with every day that one of the spans touches, in the order of days. */
  add(day: Day): void | Promise<void>
  answer(): Answer
}

/** Makes ready for the days: turns texts into ids, and has a place for what it will count. */
export type Report<Asked, Answer> = (scope: Scope, asked: Asked, context: Resolver) => Promise<Pass<Answer>>
