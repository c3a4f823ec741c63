/** Parts of the forms that pages of areas have: a control's name is the name of the input that it fills. */
import type { Child } from 'hono/jsx'
import { digestsOf, drawnField, drawnIn, drawnText } from '../call/form-digests.ts'
import type { Refused } from '../table/page.ts'
import type { Sentence } from '../texts/message.ts'
import { FaultList } from './fields/fault-list.tsx'
import { fieldNotes } from './fields/field-notes.tsx'
import { type ChoiceOption, Select } from './fields/select.tsx'
import { ui } from './messages.ts'

export interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password' | 'hidden'
  readonly value?: string | undefined
  readonly help?: string
  /** The token by which browsers and password managers fill in the field (HTML, "autofill"). */
  readonly autocomplete?: string
  readonly inputmode?: 'numeric'
  readonly required?: boolean
  readonly autofocus?: boolean
  readonly readonly?: boolean
  readonly maxlength?: number
  readonly refused: Refused | undefined
}

const faultsAt = (name: string, refused: Refused | undefined): Sentence[] =>
  (refused?.error.details ?? []).filter(({ pointer }) => pointer === `/${name}`).map(({ message }) => message)

/** A control with its label, its help and its faults. */
export function Field({ name, label, help, type = 'text', value, refused, required = true, ...rest }: FieldOptions) {
  const { notes, about } = fieldNotes(name, faultsAt(name, refused), help)
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type}
        value={type === 'password' ? undefined : (refused?.values.get(name) ?? value)}
        required={required}
        {...about}
        {...rest}
      />
      {notes}
    </p>
  )
}

interface DrawnFromProps {
  readonly record: Readonly<Record<string, unknown>>
  /** Those that the form has. */
  readonly fields: readonly string[]
  readonly refused: Refused | undefined
}

/** What a form that changes something is drawn from, so that it saves only what was changed. */
export function DrawnFrom({ record, fields, refused }: DrawnFromProps) {
  const now = digestsOf(Object.fromEntries(fields.map(name => [name, record[name]])))
  const before = drawnIn(refused && refused.error.code !== 'edit_conflict' ? refused.values.get(drawnField) : null)
  // What was typed, and refused for another reason, is still to be compared with what it was typed over.
  const drawn = [...now].map(([name, digest]) => [name, (refused?.values.has(name) && before.get(name)) || digest] as const)
  return <input type="hidden" name={drawnField} value={drawnText(new Map(drawn))} />
}

export interface ChoiceOptions extends Pick<FieldOptions, 'name' | 'label' | 'help' | 'refused'> {
  readonly value: string
  /** What it means to choose none of them, where that may be. */
  readonly blank?: string
  readonly options: readonly ChoiceOption[]
}

/** One of several, as a list that opens. */
export function Choice({ name, label, help, value, blank, options, refused }: ChoiceOptions) {
  const { notes, about } = fieldNotes(name, faultsAt(name, refused), help)
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <Select about={{ id: name, name, ...about }} value={refused?.values.get(name) ?? value} blank={blank} options={options} />
      {notes}
    </p>
  )
}

/** The faults above the form; those of a single control are shown at it. */
export function Faults({ refused, fields = [] }: { refused: Refused | undefined; fields?: readonly string[] }) {
  if (!refused) return null
  const { say, error, isKept } = refused
  if (isKept)
    return (
      <p class="notice" role="status">
        {error.message}
      </p>
    )
  const { message, details } = error
  const others = details.filter(({ pointer }) => !fields.includes(pointer.slice(1)))
  const summary = details.length > 0 && others.length === 0 ? say(ui.please_look_at_what_is_marked) : message
  return <FaultList summary={summary} faults={others} />
}

/** A form that is one button. */
export function ButtonForm({ action, label, danger, children }: { action: string; label: string; danger?: boolean; children?: Child }) {
  return (
    <form method="post" action={action}>
      {children}
      <button type="submit" class={danger ? 'danger' : 'plain'}>
        {label}
      </button>
    </form>
  )
}
