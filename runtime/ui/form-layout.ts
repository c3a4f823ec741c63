/** The form of an operation that people use every day, laid out by its area. Every other form is made of its schema. */
import type { Face } from '../table/face.ts'
import type { Operation, Typed } from '../table/operation.ts'
import type { Content } from '../table/page.ts'
import type { Reader } from '../texts/reader.ts'

export interface FieldWords {
  /** Defaults to the name of the field in words. */
  readonly label?: string
  /** Defaults to the description of the field. */
  readonly help?: string
}

export interface FormParts<Field extends string> {
  /** The control of a field with its label, help and faults. */
  field(name: Field, words?: FieldWords): Content
  /** The controls of all fields that have not been drawn yet, in the order of the schema. */
  rest(): Content
  /** Values of the form: the record’s, and the typed ones. */
  readonly values: Readonly<Record<string, unknown>>
  readonly reader: Reader
}

/** A declared layout as the pages call it. */
export interface FormLayout extends Face {
  readonly kind: 'form'
  readonly operation: Operation
  draw(parts: FormParts<never>): Content
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
export function form<I, D>(operation: Typed<I, D>, draw: (parts: FormParts<keyof I & string>) => Content): FormLayout {
  return Object.freeze({ kind: 'form', operation, draw })
}
