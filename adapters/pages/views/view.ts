/** How a record is shown where its schema alone would not do. */
import type { TSchema } from '@sinclair/typebox'
import type { Content } from '../../../runtime/page.ts'
import type { Viewer } from '../format.ts'

export interface Seen {
  /** Of the data: units, and whether less is better. */
  readonly schema: TSchema
  /** The record; of a list, its records as `rows`. */
  readonly data: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
  readonly url: URL
  readonly viewer: Viewer
  /** The site that it is of. */
  readonly site: Readonly<Record<string, unknown>> | undefined
  /** Address of this service. */
  readonly baseUrl: string
  /**
   * The report that answers this record, undefined where there is none or it is refused.
   * @param path what its path names, where that is not what the path of this page does
   */
  ask(
    record: string,
    input: Readonly<Record<string, unknown>>,
    path?: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, unknown>> | undefined>
  /** Path of the page that shows this record, with these parameters beside those of this page. */
  pathOf(record: string, parameters?: Readonly<Record<string, string>>): string | undefined
  /** The page of a record of this list. */
  hrefOf(row: Readonly<Record<string, unknown>>): string | undefined
  /** Whether a dimension may be looked at. */
  may(dimension: string): boolean
  /** Whether what it shows takes this input. */
  takes(input: string): boolean
}

export interface Shown {
  readonly content: Content
  /** Looks again after so many seconds, while there is nothing to see. */
  readonly againAfter?: number
}

export interface View {
  /** What it asks for beyond the defaults of the API. @param may whether a dimension may be looked at */
  asks?(query: URLSearchParams, may: (dimension: string) => boolean): Readonly<Record<string, unknown>>
  /** Parameters of its own in the address. */
  readonly own?: readonly string[]
  /** Undefined where it has nothing to show that the schema would not. */
  show(seen: Seen): Promise<Shown | undefined>
}
