/** What calls answer, over every surface. */
import type { Caller } from './caller.ts'
import type { ErrorBody } from './errors.ts'
import type { AnswerKind } from './answer-kinds.ts'

/** Where a call was: the workspace, the site and the id of the innermost subject, as far as it came. */
export interface Place {
  workspaceId: string | undefined
  siteId: string | null
  id: string | null
}

export interface Answer {
  readonly status: number
  /** Depends on `kind`: an envelope or an error, a plain value, a text, a file, a URL to redirect to. */
  readonly body: unknown
  /** Undefined if the call failed; the body is then an `ErrorBody`. */
  readonly kind: AnswerKind | undefined
  /** Rate limits, challenges, caching. */
  readonly headers: Readonly<Record<string, string>>
  /** Lines of `Set-Cookie`; none where the call failed. */
  readonly cookies?: readonly string[]
  /** Who called and where it was, as far as the call came: what a page shows beside the answer. */
  readonly caller?: Caller | undefined
  readonly place?: Place
}

/** The answer of a failed call. */
export interface Refusal extends Answer {
  readonly body: ErrorBody
  readonly kind: undefined
}
export const isRefusal = (answer: Answer): answer is Refusal => answer.kind === undefined

/** What a form was answered with, as it is kept for some minutes. */
export interface AnswerToForm {
  readonly data: unknown
  readonly meta: Record<string, unknown>
  readonly place?: Place
}
