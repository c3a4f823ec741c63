/** Shared by the controls that are made of a schema: their ids and names, their faults and their help. */
import type { TSchema } from '@sinclair/typebox'
import type { Detail } from '../../table/errors.ts'
import { fieldNotes } from './field-notes.tsx'

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
  /** A description as people read it. */
  described(description: string): string
  /** It changes what is there: what is left alone stays. */
  readonly isChange: boolean
  /** It changes what is named in it, of which nothing is known before: what is left empty stays as it is. */
  readonly isBlind?: boolean
  /** It narrows what a page shows: its controls are called as parameters of the address are. */
  readonly isQuery?: true
}

export interface FieldProps {
  /** JSON pointer. */
  readonly pointer: string
  readonly name: string
  readonly schema: TSchema
  readonly value: unknown
  readonly required?: boolean
  readonly form: FormContext
  /** Said instead of the field's name. */
  readonly label?: string
}

/** The name that a control is sent under. */
export const calledIn = ({ isQuery }: FormContext, pointer: string): string => (isQuery ? pointer.slice(1) : pointer)

/** The name of the box that empties a field, where an empty control says nothing. */
export const emptiedField = (name: string): string => `_empty/${name}`

export const idOf = (pointer: string): string => `f${pointer.replaceAll(/[^\w]/g, '-')}`

/** Id, faults and help of a control. @param isGroup whether its controls show their own faults */
export function notesOf({ schema, pointer, form }: FieldProps, isGroup = false) {
  const faults = form.faults.filter(fault => fault.pointer === pointer || (!isGroup && fault.pointer.startsWith(`${pointer}/`)))
  return {
    id: idOf(pointer),
    faults: faults.map(({ message }) => message),
    help: schema.description ? form.described(schema.description) : undefined,
  }
}

/** The same, drawn for a group of controls. */
export function groupNotes(props: FieldProps) {
  const { id, faults, help } = notesOf(props, true)
  const { notes, about } = fieldNotes(id, faults, help)
  return { id, notes, described: about['aria-describedby'] }
}
