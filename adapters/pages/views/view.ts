/** How a record is shown where its schema alone would not do. */
import type { TSchema } from '@sinclair/typebox'
import type { Content } from '../../../runtime/table/page.ts'
import type { NamedOperation } from '../../../runtime/table/table.ts'
import type { Option } from '../../../runtime/ui/fields/field.tsx'
import type { Viewer } from '../../../runtime/ui/format.ts'
import type { RowLink } from '../../../runtime/ui/list.tsx'

export interface Seen {
  /** Schema of the data: units, and whether less is better. */
  readonly schema: TSchema
  /** The record; of a list, its records as `rows`. */
  readonly data: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
  readonly url: URL
  readonly viewer: Viewer
  /** Epoch ms. */
  readonly now: number
  /** When who looks here looked at a site before, in epoch ms; undefined where that is not known. */
  lookedBefore(siteId: string): number | undefined
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
  /** Schema of the answer with this record: its units. */
  schemaOf(record: string): TSchema | undefined
  /** Path of the page that shows this record, with these parameters beside those of this page. */
  pathOf(record: string, parameters?: Readonly<Record<string, string>>): string | undefined
  /** The page of a record of this list. */
  hrefOf(row: Readonly<Record<string, unknown>>): string | undefined
  /** Whether a dimension may be looked at. */
  may(dimension: string): boolean
  /** Actions on a record of this list that has no page of its own. */
  actionsOf(row: Readonly<Record<string, unknown>>): readonly RowLink[]
  /** Writes that this page offers. */
  readonly does: readonly NamedOperation[]
  /** Records to choose from where a write takes the id of another, by the field that takes it. */
  choicesOf(operation: NamedOperation): Promise<ReadonlyMap<string, readonly Option[]>>
  /**
   * Address of the form that makes such a record, with this typed in already; undefined where the viewer may not.
   * @param parameters what its path names beside what the path of this page does
   */
  formFor(record: string, input: Readonly<Record<string, string>>, parameters?: Readonly<Record<string, string>>): string | undefined
  /** Names of the ids of this record, where the viewer may list them. */
  names(): Promise<ReadonlyMap<string, string>>
  /** An operation in a few words, by its id. */
  summaryOf(operation: string): string | undefined
  /** Schema of the input of an operation, by its id. */
  inputOf(operation: string): TSchema | undefined
  /** The page of a report by the id of its operation, and what it is called; undefined where there is none. */
  reportAt(operation: string, input: Readonly<Record<string, unknown>>): RowLink | undefined
  /** Whether what it shows takes this input. */
  takes(input: string): boolean
}

export interface Shown {
  readonly content: Content
  /** Heading of the page, where its operation does not say enough. */
  readonly title?: string
  /** Beginning of the window's title: how many are there now. */
  readonly heading?: string
  /** Writes whose forms it has itself: no button beside the heading leads to them, and what it shows says that they were done. */
  readonly brings?: readonly NamedOperation[]
  /** Looks again after so many seconds, while there is nothing to see. */
  readonly againAfter?: number
}

export interface View {
  /** Input beyond the defaults of the API. @param may whether a dimension may be looked at */
  asks?(query: URLSearchParams, may: (dimension: string) => boolean): Readonly<Record<string, unknown>>
  /** Parameters of its own in the address. */
  readonly own?: readonly string[]
  /** Inputs beside period and filters stay in a form above it. Those of a list always do. */
  readonly hasOptions?: true
  /** It asks for what it needs with a field of its own: it is shown before anything is chosen, too. */
  readonly isAsked?: true
  /** Pages below that it has all of, by what they show: no link leads to them. */
  readonly parts?: readonly string[]
  /** Secrets of the record that it shows: nobody need copy them from the answer of the form that made it. */
  readonly keeps?: readonly string[]
  /** Undefined where it has nothing to show that the schema would not. */
  show(seen: Seen): Promise<Shown | undefined>
}
