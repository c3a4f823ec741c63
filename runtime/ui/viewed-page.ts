/** The page as its view sees it: further answers, addresses of other pages, and who reads it. */
import type { Static, TSchema } from '@sinclair/typebox'
import type { Method } from '../table/access.ts'
import type { Operation, Typed } from '../table/operation.ts'
import type { IconName } from '../table/icons.ts'
import type { NamedOperation } from '../table/table.ts'
import type { Content } from '../table/page.ts'
import type { Option } from './fields/control-props.ts'
import type { Viewer } from './format.ts'
import type { RowLink } from './list.tsx'

type Fields = Readonly<Record<string, unknown>>

/** A list of a record (`listOf`). */
export interface ListOf<S extends TSchema = TSchema> {
  readonly listed: S
}

declare const types: unique symbol
/** A place in a view that another area fills (`slot`). */
export interface Slot<Given, Made> {
  /** For messages, such as `figures of goals`. */
  readonly name: string
  readonly [types]?: (given: Given) => Made
}

/** A page by what it shows: a record, a list of it, or the operation that answers it. */
export type Shows = TSchema | ListOf | Operation

/** Asks the read that answers an operation, a record or a list as the viewer. Undefined if no such read exists or it is refused. */
export interface AskPage {
  /** @param input with the parameters of the path that this page's path does not name */
  <I, D>(operation: Typed<I, D>, input?: Partial<I>): Promise<D | undefined>
  <S extends TSchema>(list: ListOf<S>, input?: Fields): Promise<readonly Static<S>[] | undefined>
  <S extends TSchema>(schema: S, input?: Fields): Promise<Static<S> | undefined>
}

/** A page, a setting or an action that the search of pages leads to. */
export interface Destination {
  readonly kind: 'page' | 'setting' | 'action'
  readonly label: string
  /** Where it is. */
  readonly note: string
  readonly icon: IconName
  readonly href: string
  /** A form that does it at once, instead of a page that has one. */
  readonly sends?: { readonly method: Method; readonly action: string; readonly fields: Readonly<Record<string, string>> }
}

export interface ViewedPage {
  /** Schema of the record, or of each record of the list, with the types of events filled in. */
  readonly schema: TSchema
  readonly meta: Fields
  readonly url: URL
  readonly viewer: Viewer
  /** Epoch ms. */
  readonly now: number
  /** Address of this service. */
  readonly baseUrl: string
  /** Id of the site that the page belongs to. */
  readonly siteId: string | undefined
  /** The site or workspace that the page belongs to, by its schema. */
  within<S extends TSchema>(schema: S): Static<S> | undefined
  /** Time in epoch ms at which the viewer last opened a page of a site; undefined if it is not known. */
  lookedBefore(siteId: string): number | undefined
  readonly ask: AskPage
  /** Like `ask`, with the `meta` of the answer. */
  answerOf<I, D>(operation: Typed<I, D>, input?: Partial<I>): Promise<{ readonly data: D; readonly meta: Fields } | undefined>
  /** The content with which another area has filled a slot; undefined if no area has. */
  fill<G extends object, M>(slot: Slot<G, M>, given: G): Promise<M | undefined>
  /** Path of the page that shows this, for a viewer who may see it. @param parameters of its path, besides the ones of this page */
  pathOf(shows: Shows, parameters?: Readonly<Record<string, string>>): string | undefined
  /** Address of the page of a record of this list. */
  hrefOf(row: object): string | undefined
  /** Whether the viewer may see a dimension. */
  may(dimension: string): boolean
  /** Actions on a record of this list that has no page of its own. */
  actionsOf(row: object): readonly RowLink[]
  /** Writes that this page offers. */
  readonly does: readonly NamedOperation[]
  /** The write as this page offers it; undefined if it does not. */
  offered(operation: Operation): NamedOperation | undefined
  /**
   * The fields that a write changes, as forms on this page with a button for each section; undefined if the viewer may not
   * change them.
   */
  settings(changes: Operation): Promise<Content | undefined>
  /** Records to choose from where a write takes the id of another record, by the field that takes it. */
  choicesOf(operation: Operation): Promise<ReadonlyMap<string, readonly Option[]>>
  /**
   * Address of the form that creates such a record, filled in with this input; undefined if the viewer may not create it.
   * @param creates the record, or the operation that creates it
   * @param parameters of its path, besides the ones of this page
   */
  formFor(
    creates: TSchema | Operation,
    input: Readonly<Record<string, string>>,
    parameters?: Readonly<Record<string, string>>,
  ): string | undefined
  /** Names of the ids in this record, for records that the viewer may list. */
  names(): Promise<ReadonlyMap<string, string>>
  /** Pages, settings and actions of this viewer that fit a text, best first. @param siteId adds the ones of a site */
  destinations(text: string, siteId: string | undefined): Promise<readonly Destination[]>
  /** The outcome of an operation without a full stop, by its id: `Goal created`. A refused one has its label: `Sign in`. */
  doneOf(operation: string, isRefused: boolean): string | undefined
  /** Schema of the input of an operation, by its id. */
  inputOf(operation: string): TSchema | undefined
  /** The page of a report, by the id of its operation; undefined if it has no page. */
  reportAt(operation: string, input: Fields): RowLink | undefined
  /** Whether the operation of this page takes this input. */
  takes(input: string): boolean
}
