/** How a record is shown where its schema alone would not do. */
import type { TSchema } from '@sinclair/typebox'
import type { Content } from '../../../runtime/page.ts'
import type { NamedOperation } from '../../../runtime/table.ts'
import type { Option } from '../fields/field.tsx'
import type { Viewer } from '../format.ts'
import type { RowLink } from '../list.tsx'

export interface Seen {
  /** Of the data: units, and whether less is better. */
  readonly schema: TSchema
  /** The record; of a list, its records as `rows`. */
  readonly data: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
  readonly url: URL
  readonly viewer: Viewer
  /** Epoch ms. */
  readonly now: number
  /** The site that it is of. */
  readonly site: Readonly<Record<string, unknown>> | undefined
  /** Address of this service. */
  readonly baseUrl: string
  /**
   * The answer of the read that answers this record (`[Goal]`: a list of it, as `rows`); undefined where there is none or
   * it is refused.
   * @param path what its path names beside what the path of this page does
   */
  ask(
    record: string,
    input: Readonly<Record<string, unknown>>,
    path?: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, unknown>> | undefined>
  /** Of the answer with this record: its units. */
  schemaOf(record: string): TSchema | undefined
  /** Path of the page that shows this record, with these parameters beside those of this page. */
  pathOf(record: string, parameters?: Readonly<Record<string, string>>): string | undefined
  /** The page of a record of this list. */
  hrefOf(row: Readonly<Record<string, unknown>>): string | undefined
  /** Whether a dimension may be looked at. */
  may(dimension: string): boolean
  /** What may be done with a record of this list that has no page of its own. */
  actionsOf(row: Readonly<Record<string, unknown>>): readonly RowLink[]
  /** Writes that this page offers. */
  readonly does: readonly NamedOperation[]
  /** Records to choose from where a write takes the id of another, by the field that takes it. */
  choicesOf(operation: NamedOperation): Promise<ReadonlyMap<string, readonly Option[]>>
  /** Where such a record is made, with this typed in already; undefined where the viewer may not. */
  formFor(record: string, input: Readonly<Record<string, string>>): string | undefined
  /** What an operation does, in a few words, by its id. */
  summaryOf(operation: string): string | undefined
  /** Whether what it shows takes this input. */
  takes(input: string): boolean
}

export interface Shown {
  readonly content: Content
  /** What the title of the window begins with: how many are there now. */
  readonly heading?: string
  /** Looks again after so many seconds, while there is nothing to see. */
  readonly againAfter?: number
}

export interface View {
  /** What it asks for beyond the defaults of the API. @param may whether a dimension may be looked at */
  asks?(query: URLSearchParams, may: (dimension: string) => boolean): Readonly<Record<string, unknown>>
  /** Parameters of its own in the address. */
  readonly own?: readonly string[]
  /** Inputs beside period and filters stay in a form above it. Those of a list always do. */
  readonly hasOptions?: true
  /** Undefined where it has nothing to show that the schema would not. */
  show(seen: Seen): Promise<Shown | undefined>
}
