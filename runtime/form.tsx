/** Parts of the forms that pages of areas have: a control's name is the name of the input that it fills. */
import type { Child } from 'hono/jsx'
import type { Refused } from './page.ts'

export interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password' | 'hidden'
  readonly value?: string | undefined
  readonly help?: string
  /** What browsers and password managers fill in (HTML, "autofill"). */
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

export interface ChoiceOptions extends Pick<FieldOptions, 'name' | 'label' | 'help' | 'refused'> {
  readonly value: string
  /** What is sent, and what is read. */
  readonly options: readonly (readonly [value: string, label: string])[]
}

/** One of several, as a list that opens. */
export function Choice({ name, label, help, value, options, refused }: ChoiceOptions) {
  const fault = refused?.error.details.find(({ pointer }) => pointer === `/${name}`)
  const chosen = refused?.values.get(name) ?? value
  const described = [fault && `${name}-fault`, help !== undefined && `${name}-help`].filter(Boolean).join(' ')
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name} aria-invalid={fault ? 'true' : undefined} aria-describedby={described || undefined}>
        {options.map(([each, text]) => (
          <option value={each} selected={each === chosen}>
            {text}
          </option>
        ))}
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

/** What was wrong, above the form; faults that have a control of their own are told there. */
export function Faults({ refused, fields = [] }: { refused: Refused | undefined; fields?: readonly string[] }) {
  if (!refused) return null
  const { message, details } = refused.error
  const others = details.filter(({ pointer }) => !fields.includes(pointer.slice(1)))
  return (
    <div class="faults" role="alert">
      <p>{details.length > 0 && others.length === 0 ? 'Please look at what is marked below.' : message}</p>
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
