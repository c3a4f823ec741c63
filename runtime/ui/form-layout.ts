/** The form of an operation that people use every day, laid out by its area. Every other form is made of its schema. */
import type { Face } from '../table/face.ts'
import type { IconName } from '../table/icons.ts'
import type { Operation, Typed } from '../table/operation.ts'
import type { Content } from '../table/page.ts'
import type { Reader } from '../texts/reader.ts'
import type { Option } from './fields/control-props.ts'
import type { FieldWords } from './fields/field-words.ts'
import type { ChoiceOption } from './fields/select.tsx'
import type { Suggestions } from './fields/suggestions.ts'
import type { ViewedPage } from './viewed-page.ts'

/** One of the kinds that a form is about. */
export interface KindCard {
  readonly value: string
  /** A card has an icon, or the mark of a product. */
  readonly icon?: IconName
  readonly mark?: string
  readonly label: string
  readonly help?: string | undefined
}

/** The parts from which a layout draws each item of a list: its fields by name. */
export interface ItemParts {
  /** Beginning with 0. */
  readonly index: number
  readonly values: Readonly<Record<string, unknown>>
  field(name: string, words?: FieldWords): Content
  /** A choice that the other fields of the item depend on. */
  choice(name: string, words: FieldWords & { readonly options: readonly ChoiceOption[] }): Content
}

export interface ListWords {
  readonly label?: string | undefined
  readonly help?: string | undefined
  /** Label of the button that adds an item: `Add a step`. */
  readonly add?: string | undefined
  /** Items that a new form begins with; otherwise as many as the schema requires. */
  readonly first?: number | undefined
  /** Known values of a list of conditions, by dimension. */
  readonly known?: ReadonlyMap<string, Suggestions> | undefined
  readonly draw?: ((item: ItemParts) => Content) | undefined
}

export interface FormParts<Field extends string> {
  /** The control of a field with its label, help and faults. */
  field(name: Field, words?: FieldWords): Content
  /** The control of a field within a sentence. Its faults are below the sentence (`sentence`). */
  slot(name: Field, words?: FieldWords): Content
  /** A sentence with slots. */
  sentence(content: Content | readonly (Content | string)[]): Content
  /** A choice as cards. The other fields depend on it, unless it `isFinal`. */
  kinds(name: Field, cards: readonly KindCard[], words?: Pick<FieldWords, 'label'> & { readonly isFinal?: true }): Content
  /** A list of records. */
  list(name: Field, words?: ListWords): Content
  /** A part that scripts renew when the fields change, such as a preview. @param name of the part, unique in the form */
  live(name: string, content: Content | string | undefined): Content
  /** Leaves fields out, which the form does not need. */
  without(...names: readonly Field[]): void
  /** The controls of all fields that have not been drawn yet, in the order of the schema. */
  rest(): Content
  /** The controls of `rest()` behind a heading, closed until one of them is filled in or faulty. */
  more(label?: string, words?: { readonly [Name in Field]?: FieldWords }): Content
  /** Values that a new form begins with, if its address names no others. @returns all values of the form */
  begin(usual: { readonly [Name in Field]?: unknown }): Readonly<Record<string, unknown>>
  /** Values of the form: the record’s, and the typed ones. */
  readonly values: Readonly<Record<string, unknown>>
  /** Offers only these records, also in the items of a list. */
  offer(field: string, options: readonly Option[]): void
  /** Records to choose from, by the field that takes their id. */
  readonly choices: ReadonlyMap<string, readonly Option[]>
  /** The record that the form changes. */
  readonly record: Readonly<Record<string, unknown>> | undefined
  /** Whether the form makes a record. */
  readonly isNew: boolean
  readonly reader: Reader
  /** The page with the form. */
  readonly page: ViewedPage
}

/** A declared layout as the pages call it. */
export interface FormLayout extends Face {
  readonly kind: 'form'
  readonly operation: Operation
  draw(parts: FormParts<never>): Content | Promise<Content>
  readonly options: FormOptions
}

export interface FormOptions {
  /** Fields that begin again when another kind is chosen, by the field of the kind: 50 visitors are not 50 days. */
  readonly anew?: Readonly<Record<string, readonly string[]>>
  /** Returns the input for the typed values, if the form has choices that the operation does not take. */
  sent?(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

/**
 * Lays out the form of an operation. The page draws what surrounds the fields: title, faults, conflicts and buttons.
 *
 * @example
 * import { Type } from '@sinclair/typebox'
 * import { operation } from '../table/operation.ts'
 *
 * const notes_create = operation({
 *   route: 'POST /notes',
 *   summary: 'Create a note',
 *   access: 'content.write',
 *   effect: 'create',
 *   input: { text: Type.String({ description: 'The text.' }) },
 *   output: Type.Object({ text: Type.String({ description: 'The text.' }) }),
 *   examples: [{ input: { text: 'Launch' } }],
 *   run: ({ input }) => ({ text: input.text }),
 * })
 * const createNote = form(notes_create, ({ field, rest }) => <>{field('text')}<details>{rest()}</details></>)
 * assert.equal(createNote.operation, notes_create)
 */
export function form<I, D>(
  operation: Typed<I, D>,
  draw: (parts: FormParts<keyof I & string>) => Content | Promise<Content>,
  options: FormOptions = {},
): FormLayout {
  return Object.freeze({ kind: 'form', operation, draw, options })
}
