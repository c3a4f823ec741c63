/** The form of anything that changes something; without inputs, or for a deletion, a question that a button answers. */
import type { TSchema } from '@sinclair/typebox'
import type { ErrorBody } from '../../runtime/errors.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import { Control, type FormContext, idOf, plainText } from './control.tsx'
import { fieldWords } from './words.ts'

export interface DoingProps {
  readonly operation: NamedOperation
  /** Path that the form is posted to, with its parameters filled in. */
  readonly action: string
  readonly values: Readonly<Record<string, unknown>>
  readonly form: FormContext
  readonly error: ErrorBody['error'] | undefined
  /** What it is done to, as people call it. */
  readonly subject: string | undefined
  readonly back: string
}

export function Doing({ operation, action, values, form, error, subject, back }: DoingProps) {
  const { method, effect, input, summary, description } = operation
  const inputs = Object.entries<TSchema>(input.properties)
  const isDeleting = effect === 'delete'
  return (
    <section class={isDeleting ? 'card doing danger' : 'card doing'} aria-labelledby="doing">
      <h2 id="doing">{summary}</h2>
      {description && <p class="help">{plainText(description)}</p>}
      {isDeleting && (
        <p>
          {subject === undefined ? 'This' : <b>{subject}</b>} will be gone for good. {inputs.length === 0 && 'Are you sure?'}
        </p>
      )}
      {error && <Wrong error={error} names={new Set(inputs.map(([name]) => name))} />}
      <form method="post" action={method === 'POST' ? action : `${action}?_method=${method}`}>
        {inputs.map(([name, schema]) => (
          <Control
            pointer={`/${name}`}
            name={name}
            schema={schema}
            value={values[name]}
            required={(input.required?.includes(name) ?? false) && schema.default === undefined}
            form={form}
          />
        ))}
        <p class="ends">
          <button type="submit" class={isDeleting ? 'danger' : undefined}>
            {inShort(summary)}
          </button>{' '}
          <a class="button plain" href={back}>
            Cancel
          </a>
        </p>
      </form>
    </section>
  )
}

/** What was wrong: each fault leads to its control, where it is told again. */
export function Wrong({ error: { message, details }, names }: { error: ErrorBody['error']; names: ReadonlySet<string> }) {
  return (
    <div class="faults" role="alert">
      <p>
        {details.length === 0
          ? message
          : details.length === 1
            ? 'One thing is not right yet:'
            : `${details.length} things are not right yet:`}
      </p>
      {details.length > 0 && (
        <ul>
          {details.map(fault => {
            const [, field = ''] = fault.pointer.split('/')
            return <li>{names.has(field) ? <a href={`#${idOf(`/${field}`)}`}>{fault.message}</a> : fault.message}</li>
          })}
        </ul>
      )}
    </div>
  )
}

/** What a button or a link for it says: its effect, where that says enough. */
export function labelOf({ effect, path, method, summary }: NamedOperation): string {
  if (effect === 'update' && method === 'PATCH') return 'Change'
  if (effect === 'delete' && path.endsWith('}')) return 'Delete'
  return inShort(summary)
}

/** `Create a goal`, of `Create a goal: a page or event that counts as a conversion`. */
const inShort = (summary: string): string => summary.split(':')[0] ?? summary

/** Said after it was done. */
export function doneWords({ effect, method, summary }: NamedOperation, record: string | undefined): string {
  const what = record === undefined ? '' : fieldWords(record)
  if (effect === 'create' && record !== undefined) return `${what} created.`
  if (effect === 'update' && method === 'PATCH' && record !== undefined) return `${what} changed.`
  if (effect === 'delete' && record !== undefined) return `${what} deleted.`
  return `Done: ${summary.charAt(0).toLowerCase()}${inShort(summary).slice(1)}.`
}
