/** Forms that areas draw on their own pages. The name of a control is the name of the input that it fills. */
import type { Child } from 'hono/jsx'
import { digestsOf, drawnField, drawnIn, drawnText } from '../call/form-digests.ts'
import type { Method } from '../table/access.ts'
import type { Typed } from '../table/operation.ts'
import type { Content, Refused } from '../table/page.ts'
import { FaultList } from './fields/fault-list.tsx'
import { Line, type LineProps } from './fields/line.tsx'
import { ui } from './messages.ts'
import { filled } from './words.ts'

export interface FormProps {
  /** Otherwise the address of the page. */
  readonly action?: string | undefined
  /** Defaults to POST; GET puts the fields into the address. */
  readonly method?: Method
  /** Fields that are sent and not shown; undefined leaves one out. */
  readonly hidden?: Readonly<Record<string, string | undefined>> | undefined
  readonly class?: string
  readonly enctype?: 'multipart/form-data'
  readonly children?: Child
}

/** A form of any page. Browsers send only GET and POST, so any other method is a parameter of the address. */
export function Form({ action, method = 'POST', hidden = {}, children, ...rest }: FormProps) {
  const sentTo = action !== undefined && method !== 'GET' && method !== 'POST' ? `${action}?_method=${method}` : action
  return (
    <form method={method === 'GET' ? 'get' : 'post'} action={sentTo} {...rest}>
      <Hidden fields={Object.entries(hidden)} />
      {children}
    </form>
  )
}

/** Hidden inputs, of which several may have one name. */
export function Hidden({ fields }: { fields: Iterable<readonly [name: string, value: string | undefined]> }) {
  return <>{[...fields].map(([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />)}</>
}

export interface FieldOptions extends Pick<LineProps, 'options' | 'blank' | 'help' | 'optional'> {
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly value?: string | undefined
  /** The token by which browsers and password managers fill in the field (HTML, "autofill"). */
  readonly autocomplete?: string
  readonly inputmode?: 'numeric'
  /** Defaults to true, except for a list of `options`. */
  readonly required?: boolean
  readonly autofocus?: boolean
  readonly readonly?: boolean
  readonly maxlength?: number
}

interface FieldProps extends FieldOptions {
  readonly name: string
  /** Defaults to the name. */
  readonly id?: string
  readonly refused: Refused | undefined
}

/** A line with the faults and the value of the form that was refused. A password is not repeated. */
export function Field(props: FieldProps) {
  const { id, name, label, type = 'text', value, refused, options, blank, help, optional, required = !options, ...attributes } = props
  const faults = (refused?.error.details ?? []).filter(({ pointer }) => pointer === (name.startsWith('/') ? name : `/${name}`))
  return (
    <Line
      id={id ?? name}
      name={name}
      label={label}
      optional={optional}
      faults={faults.map(({ message }) => message)}
      help={help}
      required={required}
      value={type === 'password' ? undefined : (refused?.values.get(name) ?? value)}
      options={options}
      blank={blank}
      attributes={{ type, ...attributes }}
    />
  )
}

/** The address of an account for password managers, which store it with a new password. */
export const Username = ({ email, label }: { email: string; label: string }) => (
  <Field name="_username" label={label} autocomplete="username" value={email} readonly refused={undefined} />
)

/** The parts of a form of an operation; a name that the operation does not take does not compile. */
export interface OperationFormParts<Name extends string> {
  field(name: Name, options: FieldOptions): Content
  /** The name that an input is sent under. */
  nameOf(name: Name): string
  /** Digests of a record, so that the form saves only the fields that were changed. */
  drawnFrom(record: { readonly [Key in Name]?: unknown }, names: readonly Name[]): Content
}

interface OperationFormProps<Name extends string> extends Omit<FormProps, 'method' | 'hidden' | 'children'> {
  /** Parameters of the path of the operation. */
  readonly path?: Readonly<Record<string, string>>
  /** Inputs, and parameters of pages, which begin with `_`. */
  readonly hidden?: { readonly [Key in Name | `_${string}`]?: string | undefined }
  /** The refusal of this form, if it was sent before. */
  readonly refused: Refused | undefined
  readonly children: (parts: OperationFormParts<Name>) => Child
}

/**
 * The form of an operation on a page of its area, sent to the path of the operation. Its inputs are called by their names if
 * the operation declares the page of its form, and by their pointers otherwise.
 */
export function OperationForm<I, D>(props: OperationFormProps<keyof I & string> & { readonly of: Typed<I, D> }) {
  const { of, path = {}, action = filled(of.path, path), hidden = {}, refused, children, ...rest } = props
  const nameOf = (name: string): string => (of.form || name.startsWith('_') ? name : `/${name}`)
  const named = Object.entries<string | undefined>(hidden).map(([name, value]) => [nameOf(name), value] as const)
  return (
    <Form action={action} method={of.method} hidden={Object.fromEntries(named)} {...rest}>
      {children({
        field: (name, options) => (<Field id={name} name={nameOf(name)} refused={refused} {...options} />) as Content,
        nameOf,
        drawnFrom: (record, names) => (<DrawnFrom record={record} fields={names} refused={refused} />) as Content,
      })}
    </Form>
  )
}

interface DrawnFromProps {
  readonly record: Readonly<Record<string, unknown>>
  /** Names of the fields that the form has. */
  readonly fields: readonly string[]
  readonly refused: Refused | undefined
}

/** The record that a form of a change is drawn from, so that it saves only what was changed. */
export function DrawnFrom({ record, fields, refused }: DrawnFromProps) {
  const current = digestsOf(Object.fromEntries(fields.map(name => [name, record[name]])))
  const previous = drawnIn(refused && refused.error.code !== 'edit_conflict' ? refused.values.get(drawnField) : null)
  // Typed values that were refused for another reason are still compared with the values that they replace.
  const drawn = [...current].map(([name, digest]) => [name, (refused?.values.has(name) && previous.get(name)) || digest] as const)
  return <input type="hidden" name={drawnField} value={drawnText(new Map(drawn))} />
}

/** The faults above the form; faults of a single control are shown at it. */
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
  const summary = details.length > 0 ? say(ui.please_look_at_what_is_marked) : message
  return <FaultList summary={summary} faults={others} />
}

/** A form that is one button. */
export function ButtonForm({ label, danger, children, ...form }: FormProps & { readonly label: Child; readonly danger?: boolean }) {
  return (
    <Form {...form}>
      {children}
      <button type="submit" class={danger ? 'danger' : 'plain'}>
        {label}
      </button>
    </Form>
  )
}
