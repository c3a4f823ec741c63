/** Texts and choices of a field that a layout sets instead of its schema. */
import type { Unit } from '../../table/schema.ts'
import type { ChoiceOption } from './select.tsx'
import type { Suggestions } from './suggestions.ts'

export interface FieldWords {
  /** Defaults to the name of the field in words. */
  readonly label?: string | undefined
  /** Defaults to the description of the field; empty for none. */
  readonly help?: string | undefined
  /** Defaults to the value of the form. */
  readonly value?: unknown
  /** Values to choose from, instead of the values of the schema. A value that is not among them stays. */
  readonly options?: readonly ChoiceOption[] | undefined
  /** Label of the option to choose nothing. */
  readonly blank?: string | undefined
  /** Values that are known, for a field that takes any text. */
  readonly suggestions?: Suggestions | undefined
  /** A text that follows from the other fields. The field has it until someone types another one. */
  readonly proposed?: string | undefined
  readonly placeholder?: string | undefined
  /** A list of texts has a line for each, with buttons that add, remove and move them. */
  readonly isRows?: true | undefined
  /** Label of the button that adds a line. */
  readonly add?: string | undefined
  /** The form may be saved without it, although the operation requires it: the form has another way to fill it in. */
  readonly isOptional?: true | undefined
  /** The form needs it for what was chosen, although the operation may do without: it is not called optional. */
  readonly isWanted?: true | undefined
  /** Other fields or choices depend on its value: the form is drawn again when it changes. */
  readonly isLeading?: boolean | undefined
  /** Without a visible label, in a line that says what it is. */
  readonly isSlot?: true | undefined
  /** Until someone chooses, scripts put in the time zone of the browser. */
  readonly isOfBrowser?: boolean | undefined
  /** Unit of its number, if that depends on other fields. */
  readonly unit?: Unit | undefined
}
