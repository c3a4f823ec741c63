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
  readonly againAfter?: number | undefined
  readonly cookies?: readonly string[]
}
export interface Onwards {
  readonly location: string
  readonly cookies?: readonly string[] | undefined
}
/** A page, another address, or why there is neither; `next`: where somebody who signs in goes on. */
export type Made = ProjectedPage | Onwards | { readonly refusal: Refusal; readonly caller: Caller | undefined; readonly next?: string }

/** A form that was refused, or waits to be sent once more after a sign-in: shown again with what was typed. */
export interface Sent {
  readonly operation: NamedOperation
  readonly values: Readonly<Record<string, unknown>>
  /** Undefined where nothing is wrong with it. */
  readonly error: ErrorBody['error'] | undefined
  readonly status: number
  /** What it was drawn from, where it said so; `values` are then those that were changed. */
  readonly drawn?: Drawn
}
