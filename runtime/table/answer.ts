/** The answer of a call, on every surface. */
import type { Caller } from './caller.ts'
import type { ErrorBody } from './errors.ts'
import type { AnswerKind } from './answer-kinds.ts'

/** The workspace, the site and the id of the innermost subject of a call, as far as it got. */
export interface Place {
  workspaceId: string | undefined
  siteId: string | null
  id: string | null
  /** Whether the site is a group, and whether amounts of it are in several currencies. */
  isGroup?: true
  hasNoMoney?: true
}

export interface Answer {
  readonly status: number
  /** Depends on `kind`: an envelope or an error, a plain value, a text, a file, a URL to redirect to. */
  readonly body: unknown
  /** Undefined if the call failed; the body is then an `ErrorBody`. */
  readonly kind: AnswerKind | undefined
  /** Rate limits, challenges, caching. */
  readonly headers: Readonly<Record<string, string>>
  /** Lines of `Set-Cookie`; none if the call failed. */
  readonly cookies?: readonly string[]
  /** The caller and the place, as far as the call got: a page shows them with the answer. */
  readonly caller?: Caller | undefined
  readonly place?: Place
}

/** The answer of a failed call. */
export interface Refusal extends Answer {
  readonly body: ErrorBody
  readonly kind: undefined
}
export const isRefusal = (answer: Answer): answer is Refusal => answer.kind === undefined

/** The answer to a form, which is kept for some minutes. */
export interface AnswerToForm {
  readonly data: unknown
  readonly meta: Record<string, unknown>
  readonly place?: Place
}
