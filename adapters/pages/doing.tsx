/** The form of anything that changes something; without inputs, or for a deletion, a question that a button answers. */
import type { TSchema } from '@sinclair/typebox'
import type { ErrorBody } from '../../runtime/errors.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import { Control } from './fields/control.tsx'
import { type FormContext, idOf } from './fields/field.tsx'
import { inLanguage, type Reader, say } from './languages/index.ts'
import { fieldWords, plainText } from './words.ts'

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
      <h2 id="doing">{inLanguage(form, summary)}</h2>
      {description && <p class="help">{plainText(description)}</p>}
      {isDeleting && (
        <p>
          {subject === undefined ? say(form, 'gone_this') : <Gone name={subject} form={form} />} {inputs.length === 0 && say(form, 'sure')}
        </p>
      )}
      {error && <Wrong error={error} names={new Set(inputs.map(([name]) => name))} reader={form} />}
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
            {isDeleting ? labelOf(operation, form) : inLanguage(form, inShort(summary))}
          </button>{' '}
          <a class="button plain back" href={back}>
            {say(form, 'cancel')}
          </a>
        </p>
      </form>
    </section>
  )
}

/** The sentence, with the name of what will be gone marked in it. */
function Gone({ name, form }: { name: string; form: FormContext }) {
  const [before, after] = say(form, 'gone', { name: '\n' }).split('\n')
  return (
    <>
      {before}
      <b>{name}</b>
      {after}
    </>
  )
}

/** What was wrong: each fault leads to its control, where it is told again. */
export function Wrong({
  error: { message, details },
  names,
  reader,
}: {
  error: ErrorBody['error']
  names: ReadonlySet<string>
  reader: Reader
}) {
  return (
    <div class="faults" role="alert">
      <p>
        {details.length === 0
          ? message
          : details.length === 1
            ? say(reader, 'one_fault')
            : say(reader, 'faults', { count: details.length })}
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
export function labelOf({ effect, path, method, summary }: NamedOperation, reader: Reader): string {
  if (effect === 'update' && method === 'PATCH') return say(reader, 'change')
  if (effect === 'delete' && path.endsWith('}')) return say(reader, 'delete')
  return inLanguage(reader, inShort(summary))
}

/** `Create a goal`, of `Create a goal: a page or event that counts as a conversion`. */
const inShort = (summary: string): string => summary.split(':')[0] ?? summary

/** Said after it was done. */
export function doneWords({ effect, method, summary }: NamedOperation, record: string | undefined, reader: Reader): string {
  const name = record === undefined ? '' : fieldWords(record, reader)
  if (effect === 'create' && record !== undefined) return say(reader, 'created', { name })
  if (effect === 'update' && method === 'PATCH' && record !== undefined) return say(reader, 'changed', { name })
  if (effect === 'delete' && record !== undefined) return say(reader, 'deleted', { name })
  return say(reader, 'done', { what: summary.charAt(0).toLowerCase() + inShort(summary).slice(1) })
}
