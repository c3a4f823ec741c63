/** The result of a browser's request. */
import type { Refusal } from '../../runtime/table/answer.ts'
import type { Caller } from '../../runtime/table/caller.ts'
import type { Drawn } from '../../runtime/call/form-digests.ts'
import type { ErrorBody } from '../../runtime/table/errors.ts'
import type { Content } from '../../runtime/table/page.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import type { Frame } from './frame.ts'

export interface ProjectedPage {
  readonly title: string
  readonly content: Content
  readonly status: number
  readonly frame: Frame
  readonly caller: Caller | undefined
  /** Seconds after which the page is loaded again. */
  readonly againAfter?: number | undefined
  /** Whether the page shows figures of a period, and no result of a form. */
  readonly isReport?: boolean
  readonly cookies?: readonly string[]
}
export interface Redirect {
  readonly location: string
  readonly cookies?: readonly string[] | undefined
}
/** A page, a redirect or a refusal. `next` is the address to continue at after a sign-in. */
export type PageResponse =
  | ProjectedPage
  | Redirect
  | { readonly refusal: Refusal; readonly caller: Caller | undefined; readonly next?: string }

/** A form that was refused, or that waited for a sign-in. It is shown again with the typed values. */
export interface SubmittedForm {
  readonly operation: NamedOperation
  readonly values: Readonly<Record<string, unknown>>
  /** Undefined if the form is valid. */
  readonly error: ErrorBody['error'] | undefined
  readonly status: number
  /** Digests of the values that the form was drawn from, if it contained them. `values` then has only the changed values. */
  readonly drawn?: Drawn
  /** Set if the form was not sent, but is drawn again with the typed values. */
  readonly draft?: {
    /** Fields with typed values; the others have the values of a new form. */
    readonly typed: ReadonlySet<string>
    /** Faults that scripts show at the field that was left. */
    readonly faults: ErrorBody['error']['details']
  }
  /** The texts that the form had proposed, by field. */
  readonly proposed?: Readonly<Record<string, string>>
  /** The section of settings that was sent, if the form was drawn in place. */
  readonly section?: string | undefined
}
