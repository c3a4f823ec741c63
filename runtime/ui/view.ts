/**
 * How a record is shown if its schema is not enough. A view is typed by the schema of the record and found by that
 * schema, so that a misspelt field does not compile. Areas export their views from `pages.tsx`.
 */
import type { Static, TSchema } from '@sinclair/typebox'
import type { Face } from '../table/face.ts'
import type { Content } from '../table/page.ts'
import type { Operation } from '../table/operation.ts'
import type { NamedOperation } from '../table/table.ts'
import type { ListOf, ViewedPage } from './viewed-page.ts'

/** The content that a view shows, and facts that the page around it needs. */
export interface Shown {
  readonly content: Content
  /** Heading of the page; defaults to the title of its operation. */
  readonly title?: string
  /** Next to the heading, such as the number of visitors now. */
  readonly besideTitle?: Content
  /** Beginning of the window's title, such as the number of visitors now. */
  readonly heading?: string
  /** Writes whose forms the content contains. The heading then has no button for them, and no notice reports their success. */
  readonly brings?: readonly NamedOperation[]
  /** Operations whose forms the content contains, for which the heading needs no button. A notice reports their success. */
  readonly has?: readonly Operation[]
  /** Seconds after which the page is loaded again, while there is nothing to see yet. */
  readonly againAfter?: number
}

export interface ViewOptions {
  /** Input beyond the defaults of the API. @param may whether the caller may see a dimension */
  asks?(query: URLSearchParams, may: (dimension: string) => boolean): Readonly<Record<string, unknown>>
  /** Another address for one that a form of the view has sent, for example without what its choices exclude; undefined to stay. */
  mends?(url: URL): string | undefined
  /** Schema of the `meta` of the report or the list, which types what the view receives. */
  readonly meta?: TSchema
  /** Parameters of the address that only the view reads. */
  readonly own?: readonly string[]
  /** The fields of `own` that choose a tab. A browser keeps them, so that a page without them shows the tabs that were chosen last. */
  readonly remembers?: readonly string[]
  /** Whether inputs besides period and filters have a form above the view. Lists have one, unless their view has fields of its own. */
  readonly hasOptions?: boolean
  /** Whether the view has a field for what it needs. It is then also shown before anything is chosen. */
  readonly isAsked?: true
  /** Pages below this one whose content the view contains, by their schemas. The page does not link to them. */
  readonly parts?: readonly TSchema[]
  /** Secrets of the record that the view shows, so that a person need not copy them from the answer of the form. */
  readonly keeps?: readonly string[]
}

interface Around<O extends ViewOptions> {
  readonly meta: O extends { readonly meta: infer M extends TSchema } ? Static<M> : Readonly<Record<string, unknown>>
  readonly page: ViewedPage
}

interface Given<S extends TSchema, O extends ViewOptions> extends Around<O> {
  /** Undefined before anything is chosen, for a view that `isAsked`. */
  readonly data: O extends { readonly isAsked: true } ? Static<S> | undefined : Static<S>
}

interface GivenRows<S extends TSchema, O extends ViewOptions> extends Around<O> {
  readonly rows: readonly Static<S>[]
}

/** The result of a function that draws a view; undefined if the schema shows the record just as well. */
export type Drawn = Content | Shown | undefined

/** A declared view as the pages call it. */
export interface View extends Face {
  readonly kind: 'view' | 'listView'
  /** Schema of the record; for a list, the schema of each of its records. */
  readonly schema: TSchema
  readonly options: ViewOptions
  /** @param given `data` or `rows`, which the answer was checked for, `meta` and `page` */
  draw(given: never): Drawn | Promise<Drawn>
}

/**
 * Declares how a record is shown.
 *
 * @example
 * import { Type } from '@sinclair/typebox'
 *
 * const Note = Type.Object({ text: Type.String() })
 * const note = view(Note, ({ data }) => <p class="card">{data.text}</p>)
 * assert.equal(String(note.draw({ data: { text: 'Launch' } } as never)), '<p class="card">Launch</p>')
 */
export function view<S extends TSchema, const O extends ViewOptions = object>(
  schema: S,
  draw: (given: Given<S, O>) => Drawn | Promise<Drawn>,
  options?: O,
): View {
  return Object.freeze({ kind: 'view', schema, draw, options: options ?? {} })
}

/**
 * Declares how a list of a record is shown. An empty list is shown by the page if `draw` returns undefined.
 *
 * @example
 * import { Type } from '@sinclair/typebox'
 *
 * const Note = Type.Object({ text: Type.String() })
 * const notes = listView(Note, ({ rows }) => <ul>{rows.map(({ text }) => <li>{text}</li>)}</ul>)
 * assert.equal(String(notes.draw({ rows: [{ text: 'Launch' }] } as never)), '<ul><li>Launch</li></ul>')
 */
export function listView<S extends TSchema, const O extends ViewOptions = object>(
  schema: S,
  draw: (given: GivenRows<S, O>) => Drawn | Promise<Drawn>,
  options?: O,
): View {
  return Object.freeze({ kind: 'listView', schema, draw, options: options ?? {} })
}

/** A list of a record where a page names what it shows: `page.pathOf(listOf(Alert))`. */
export const listOf = <S extends TSchema>(listed: S): ListOf<S> => ({ listed })
