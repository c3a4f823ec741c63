/** Form of an operation that changes something. Without inputs, or for a deletion, it is a question with a button. */
import type { TSchema } from '@sinclair/typebox'
import type { Child } from 'hono/jsx'
import { type Drawn, drawnField, drawnText } from '../../runtime/call/form-digests.ts'
import type { ErrorBody } from '../../runtime/table/errors.ts'
import { keptTexts } from '../../runtime/call/kept-forms.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { shownWith } from '../../runtime/table/schema.ts'
import { type Conflict, Conflicts } from '../../runtime/ui/conflicts.tsx'
import { Control } from '../../runtime/ui/fields/control.tsx'
import { FaultList } from '../../runtime/ui/fields/fault-list.tsx'
import { type FormContext, idOf } from '../../runtime/ui/fields/control-props.ts'
import { Form } from '../../runtime/ui/form.tsx'
import type { FieldWords, FormLayout } from '../../runtime/ui/form-layout.ts'
import { labelOf } from '../../runtime/ui/operation-labels.ts'
import { shortOf } from '../../runtime/table/operation-names.ts'
import { m } from './messages.ts'
import { ui } from '../../runtime/ui/messages.ts'
import { declaredText } from '../../runtime/texts/catalogues.ts'
import type { Reader } from '../../runtime/texts/reader.ts'
import { say } from '../../runtime/texts/say.ts'

export interface DoingProps {
  readonly operation: NamedOperation
  /** How its area lays out the fields; otherwise they follow the schema. */
  readonly layout: FormLayout | undefined
  /** Path that the form is posted to, with its parameters filled in. */
  readonly action: string
  readonly values: Readonly<Record<string, unknown>>
  /** Digests of the values that it was drawn from, if it changes a record. */
  readonly drawn: Drawn | undefined
  /** Fields that another request has changed meanwhile. */
  readonly conflicts: readonly Conflict[]
  readonly form: FormContext
  readonly error: ErrorBody['error'] | undefined
  /** Whether the form waited for a sign-in. */
  readonly isKept: boolean
  /** The record that the form changes. */
  readonly record: Readonly<Record<string, unknown>> | undefined
  /** Name of the record. */
  readonly subject: string | undefined
  readonly back: string
}

export function Doing({ operation, layout, action, values, drawn, conflicts, form, error, isKept, record, subject, back }: DoingProps) {
  const { method, effect, input, summary, description } = operation
  const inputs = Object.entries<TSchema>(input.properties)
  const names = new Set(inputs.map(([name]) => name))
  const isDeleting = effect === 'delete'
  return (
    <section class={isDeleting ? 'card doing danger' : 'card doing'} aria-labelledby="doing">
      <h2 id="doing">{declaredText(form, summary)}</h2>
      {description && <p class="help">{form.described(description)}</p>}
      {isDeleting && (
        <p>
          {subject === undefined ? say(form, m.gone_this) : <Gone name={subject} form={form} />} {inputs.length === 0 && say(form, m.sure)}
        </p>
      )}
      {isKept && (
        <p class="notice" role="status">
          {say(form, keptTexts.again)}
        </p>
      )}
      {error && conflicts.length === 0 && <Wrong error={error} names={names} reader={form} />}
      <Form action={action} method={method} hidden={{ [drawnField]: drawn && drawnText(drawn) }}>
        {conflicts.length > 0 && <Conflicts of={conflicts} operation={operation} form={form} />}
        <Fields operation={operation} layout={layout} values={values} record={record} form={form} />
        <div class="notice lost" role="alert" hidden>
          <p>{say(form, m.typed_lost)}</p>
          <button type="button" class="plain">
            {say(form, m.keep_typing)}
          </button>{' '}
          <button type="button" class="plain danger">
            {say(form, m.close_anyway)}
          </button>
        </div>
        <p class="ends">
          <button type="submit" class={isDeleting ? 'danger' : undefined}>
            {isDeleting ? labelOf(operation, form) : form.isChange ? say(form, m.save) : declaredText(form, shortOf(operation))}
          </button>{' '}
          <a class="button plain back" href={back}>
            {say(form, ui.cancel)}
          </a>
        </p>
      </Form>
    </section>
  )
}

function Fields({ operation, layout, values, record, form }: Pick<DoingProps, 'operation' | 'layout' | 'values' | 'record' | 'form'>) {
  const { input } = operation
  const names = new Set(Object.keys(input.properties))
  const left = new Set(names)
  const isNeeded = (name: string): boolean => (input.required?.includes(name) ?? false) && input.properties[name]?.default === undefined
  const field = (name: string, { label, help }: FieldWords = {}) => {
    const schema: TSchema | undefined = input.properties[name]
    if (!schema || !left.delete(name)) throw new Error(`The form of ${operation.id} has no field ${name} left to draw`)
    return (
      <Applying schema={schema} names={names} record={record}>
        <Control
          pointer={`/${name}`}
          name={name}
          schema={help === undefined ? schema : { ...schema, description: help }}
          value={values[name]}
          required={isNeeded(name)}
          form={form}
          {...(label !== undefined && { label })}
        />
      </Applying>
    )
  }
  const rest = () => <>{[...left].map(name => field(name))}</>
  if (!layout) return rest()
  const drawn = layout.draw({ field, rest, values, reader: form })
  const missing = [...left].filter(isNeeded)
  if (missing.length > 0) throw new Error(`The form of ${operation.id} lacks the required ${missing.join(', ')}`)
  return drawn
}

interface ApplyingProps {
  readonly schema: TSchema
  readonly names: ReadonlySet<string>
  readonly record: DoingProps['record']
  readonly children?: Child
}

/** A control that applies only to some values of another field. Omitted if the record has that field, otherwise hidden by `client/only.js`. */
function Applying({ schema, names, record, children }: ApplyingProps) {
  const only = schema[shownWith]
  if (!only) return <>{children}</>
  if (!names.has(only.field)) {
    return record === undefined || only.values.includes(String(record[only.field])) ? <>{children}</> : null
  }
  return (
    <div data-only-with={`/${only.field}`} data-values={only.values.join(' ')}>
      {children}
    </div>
  )
}

/** The sentence, with the name of what will be gone marked in it. */
function Gone({ name, form }: { name: string; form: FormContext }) {
  const [before, after] = say(form, m.gone, { name: '\n' }).split('\n')
  return (
    <>
      {before}
      <b>{name}</b>
      {after}
    </>
  )
}

/** Lists the faults of an input, each with a link to its control, which repeats the fault. */
export function Wrong({
  error: { message, details },
  names,
  reader,
  reset,
}: {
  error: ErrorBody['error']
  /** Fields that have a control on the page. */
  names: ReadonlySet<string>
  reader: Reader
  /** Address of the page without the wrong parameters, if the faults are in its address. */
  reset?: string
}) {
  const summary = details.length === 0 ? message : say(reader, m.faults, { count: details.length })
  const faults = details.map(({ pointer, message: text }) => {
    const [, field = ''] = pointer.split('/')
    return { message: text, href: names.has(field) ? `#${idOf(`/${field}`)}` : undefined }
  })
  return (
    <FaultList summary={summary} faults={faults}>
      {reset !== undefined && (
        <p>
          <a href={reset}>{say(reader, ui.reset)}</a>
        </p>
      )}
    </FaultList>
  )
}
