/** Shared by the controls that are made of a schema: their ids and names, their faults and their help. */
import type { TSchema } from '@sinclair/typebox'
import type { Detail } from '../../table/errors.ts'
import { fieldNotes } from './field-notes.tsx'
import type { FieldWords } from './field-words.ts'

export interface Option {
  readonly id: string
  readonly name: string
}
export interface FormContext {
  readonly faults: readonly Detail[]
  /** Records to choose from, by the field that takes their id. */
  readonly choices: ReadonlyMap<string, readonly Option[]>
  readonly secrets: readonly string[]
  readonly timezone: string
  readonly locale: string
  /** Currency of amounts. */
  readonly currency: string
  /** Names of the records that conditions name by their ids. */
  readonly names?: ReadonlyMap<string, string> | undefined
  /** Returns a description in the words of the pages. */
  described(description: string): string
  /** The form changes a record. Fields that are not sent stay unchanged. */
  readonly isChange: boolean
  /** The form changes records that it names and that are not loaded. Empty fields stay unchanged. */
  readonly isBlind?: boolean
  /** The form filters a page, so its controls are called by the parameters of the address. */
  readonly isQuery?: true
  /** Whether the form can be drawn again with what is typed: lists then have buttons that add, remove and move items. */
  readonly isRedrawn?: boolean
  /** It is drawn again with what is typed, which may be incomplete. */
  readonly isDraft?: boolean
}

/** Properties of a control that is made of the schema of its input. */
export interface ControlProps {
  /** JSON pointer. */
  readonly pointer: string
  readonly name: string
  readonly schema: TSchema
  readonly value: unknown
  readonly required?: boolean | undefined
  readonly form: FormContext
  /** Defaults to the name in words. */
  readonly label?: string
  /** How a layout draws it, if not by its schema only. */
  readonly drawn?: DrawnAs | undefined
}

export interface DrawnAs
  extends Pick<FieldWords, 'options' | 'blank' | 'suggestions' | 'placeholder' | 'isRows' | 'add' | 'unit' | 'isLeading' | 'isOfBrowser'> {
  /** In a sentence, without a visible label. */
  readonly isSlot?: true
  /** The text that the form proposes; the control has it. */
  readonly proposed?: string | undefined
}

/** The name that a control is sent under. */
export const calledIn = ({ isQuery }: FormContext, pointer: string): string => (isQuery ? pointer.slice(1) : pointer)

/** The name of the checkbox that clears a field, if an empty control leaves the field unchanged. */
export const emptiedField = (name: string): string => `_empty/${name}`

/** The name of the hidden field with the text that the form proposed for a control. */
export const proposedField = (pointer: string): string => `_proposed${pointer}`

/** The id of a control. A field of the address and a field of the form over the page differ in their ids. */
export const idOf = (pointer: string, { isQuery }: Pick<FormContext, 'isQuery'> = {}): string =>
  `${isQuery ? 'q' : 'f'}${pointer.replaceAll(/[^\w]/g, '-')}`

/** Id, faults and help of a control. @param isGroup whether its controls show their own faults */
export function notesOf({ schema, pointer, form }: ControlProps, isGroup = false) {
  const faults = form.faults.filter(fault => fault.pointer === pointer || (!isGroup && fault.pointer.startsWith(`${pointer}/`)))
  return {
    id: idOf(pointer, form),
    faults: faults.map(({ message }) => message),
    help: schema.description ? form.described(schema.description) : undefined,
  }
}

/** Id, faults and help of a group of controls, drawn. */
export function groupNotes(props: ControlProps) {
  const { id, faults, help } = notesOf(props, true)
  const { notes, attributes } = fieldNotes(id, faults, help)
  return { id, notes, described: attributes['aria-describedby'] }
}
