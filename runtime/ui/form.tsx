/** Parts of the forms that pages of areas have: a control's name is the name of the input that it fills. */
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { digestsOf, drawnField, drawnIn, drawnText } from '../call/form-digests.ts'
import type { Refused } from '../table/page.ts'

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

/** A control with its label, its help, and what was wrong with it. */
export function Field({ name, label, help, type = 'text', value, refused, required = true, ...rest }: FieldOptions) {
  const fault = refused?.error.details.find(({ pointer }) => pointer === `/${name}`)
  const described = [fault && `${name}-fault`, help !== undefined && `${name}-help`].filter(Boolean).join(' ')
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type}
        value={type === 'password' ? undefined : (refused?.values.get(name) ?? value)}
        required={required}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={described || undefined}
        {...rest}
      />
      {fault && (
        <span class="fault" id={`${name}-fault`}>
          {fault.message}
        </span>
      )}
      {help !== undefined && (
        <span class="help" id={`${name}-help`}>
          {help}
        </span>
      )}
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

/** The value that is sent, and the label that is read. */
export type ChoiceOption = readonly [value: string, label: string]

/** All options of a list as one text, none of them chosen, and where each begins. */
interface Drawn {
  readonly html: string
  readonly begins: readonly number[]
}
const drawn = new WeakMap<readonly ChoiceOption[], Drawn>()

/**
 * Of 400 time zones all but one look the same on every page: a list that is kept is drawn once, and the chosen one put in
 * its place.
 * @param chosen a value that is not in the list is added before it
 */
export function Options({ of, chosen }: { of: readonly ChoiceOption[]; chosen: string }) {
  const { html, begins } = drawn.get(of) ?? drawnOf(of)
  const at = of.findIndex(([value]) => value === chosen)
  const [value, label] = of[at] ?? [chosen, chosen]
  const own = at >= 0 || chosen !== '' ? String(optionOf(value, label, true)) : ''
  return raw(at < 0 ? own + html : html.slice(0, begins[at]) + own + html.slice(begins[at + 1]))
}

function drawnOf(options: readonly ChoiceOption[]): Drawn {
  const begins = [0]
  let html = ''
  for (const [value, label] of options) begins.push((html += String(optionOf(value, label, false))).length)
  const made = { html, begins }
  drawn.set(options, made)
  return made
}

function optionOf(value: string, label: string, isChosen: boolean) {
  // Without a value, browsers send the text (HTML §4.10.10): half the bytes of a zone.
  const isSaid = value === label && /^\S+$/.test(value)
  return (
    <option value={isSaid ? undefined : value} selected={isChosen}>
      {label}
    </option>
  )
}

/** One of several, as a list that opens. */
export function Choice({ name, label, help, value, blank, options, refused }: ChoiceOptions) {
  const fault = refused?.error.details.find(({ pointer }) => pointer === `/${name}`)
  const chosen = refused?.values.get(name) ?? value
  const described = [fault && `${name}-fault`, help !== undefined && `${name}-help`].filter(Boolean).join(' ')
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name} aria-invalid={fault ? 'true' : undefined} aria-describedby={described || undefined}>
        {blank !== undefined && (
          <option value="" selected={chosen === ''}>
            {blank}
          </option>
        )}
        <Options of={options} chosen={chosen} />
      </select>
      {fault && (
        <span class="fault" id={`${name}-fault`}>
          {fault.message}
        </span>
      )}
      {help !== undefined && (
        <span class="help" id={`${name}-help`}>
          {help}
        </span>
      )}
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
  return (
    <div class="faults" role="alert">
      <p>{details.length > 0 && others.length === 0 ? say('Please look at what is marked below.') : message}</p>
      {others.length > 0 && (
        <ul>
          {others.map(fault => (
            <li>{fault.message}</li>
          ))}
        </ul>
      )}
    </div>
  )
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
