/** Form of an operation that changes something. Without inputs, or for a deletion, it is a question with a button. */
import { isGrave } from './answer-facts.ts'
import type { TSchema } from '@sinclair/typebox'
import { type Drawn, drawnField, drawnText } from '../../runtime/call/form-digests.ts'
import type { ErrorBody } from '../../runtime/table/errors.ts'
import { keptTexts } from '../../runtime/call/kept-forms.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { type Conflict, Conflicts } from '../../runtime/ui/conflicts.tsx'
import type { Content } from '../../runtime/table/page.ts'
import { FaultList } from '../../runtime/ui/fields/fault-list.tsx'
import { type FormContext, idOf } from '../../runtime/ui/fields/control-props.ts'
import { Form } from '../../runtime/ui/form.tsx'
import { capital } from '../../runtime/texts/names.ts'
import { carriedIn } from '../../runtime/ui/links.ts'
import { isDeletion, labelOf } from '../../runtime/ui/operation-labels.ts'
import { shortOf } from '../../runtime/table/operation-names.ts'
import { m } from './messages.ts'
import { ui } from '../../runtime/ui/messages.ts'
import { declaredText } from '../../runtime/texts/catalogues.ts'
import type { Reader } from '../../runtime/texts/reader.ts'
import { say } from '../../runtime/texts/say.ts'

/** Fields of a form that say on which page it was drawn, by the id of its operation, and in which section. */
export const [pageField, sectionField] = ['_page', '_section'] as const

/** A page for `_page`: the id of its operation, the parameters of its path, and those that go along from page to page. */
export const pageNamed = ({ id, pathInput }: NamedOperation, path: Readonly<Record<string, string>>, url: URL): string =>
  `${id}?${new URLSearchParams([...Object.keys(pathInput).map(name => [name, path[name] ?? '']), ...carriedIn(url.searchParams)])}`

export interface DoingProps {
  readonly operation: NamedOperation
  readonly fields: Content
  /** Whether its area lays out the fields. */
  readonly isLaidOut: boolean
  /** Path that the form is posted to, with its parameters filled in. */
  readonly action: string
  /** Digests of the values that it was drawn from, if it changes a record. */
  readonly drawn: Drawn | undefined
  /** Fields that another request has changed meanwhile. */
  readonly conflicts: readonly Conflict[]
  readonly form: FormContext
  readonly error: ErrorBody['error'] | undefined
  /** The page of the record that exists already, which the error names. */
  readonly other: { readonly href: string; readonly name: string } | undefined
  /** Whether the form waited for a sign-in. */
  readonly isKept: boolean
  /** Name of the record. */
  readonly subject: string | undefined
  /** Deleted records can be restored for some time. */
  readonly isRestorable: boolean
  readonly back: string
  /** This page (`pageNamed`), if the form belongs to another one or parameters go along. */
  readonly page: string | undefined
}

/** Characters of a heading. Of a longer summary, the label of its button is the heading. */
const mostHeading = 40

export function Doing({
  operation,
  fields,
  isLaidOut,
  action,
  drawn,
  conflicts,
  form,
  error,
  other,
  isKept,
  subject,
  isRestorable,
  back,
  page,
}: DoingProps) {
  const { method, effect, input, summary, description } = operation
  const inputs = Object.entries<TSchema>(input.properties)
  const names = new Set(inputs.map(([name]) => name))
  const isDeleting = effect === 'delete'
  const look = isGrave(operation) ? 'danger' : undefined
  // `Create an alert: get notified when a condition is met`
  const [whole = '', aim] = declaredText(form, summary).split(/ ?: /)
  const help = [!isLaidOut && description && form.described(description), aim !== undefined && `${capital(aim)}.`].filter(Boolean)
  const heading = effect === 'create' && whole.length > mostHeading ? declaredText(form, shortOf(operation)) : whole
  return (
    <section class={['card doing', look].filter(Boolean).join(' ')} aria-labelledby="doing">
      <h2 id="doing">{subject !== undefined && isDeletion(operation) ? say(form, m.deletes, { name: subject }) : heading}</h2>
      {help.length > 0 && <p class="help">{help.join(' ')}</p>}
      {isDeleting && (
        <p>
          {isDeletion(operation) || subject !== undefined ? (
            <Gone name={subject} of={isRestorable ? m.gone_for_now : isDeletion(operation) ? m.gone : m.applies_to} form={form} />
          ) : null}{' '}
          {inputs.length === 0 && say(form, m.sure)}
        </p>
      )}
      {isKept && (
        <p class="notice" role="status">
          {say(form, keptTexts.again)}
        </p>
      )}
      {error && conflicts.length === 0 && <Wrong error={error} names={names} reader={form} other={other} />}
      <Form action={action} method={method} hidden={{ [drawnField]: drawn && drawnText(drawn), [pageField]: page }}>
        {conflicts.length > 0 && <Conflicts of={conflicts} operation={operation} form={form} />}
        {/* Enter in a field sends the form, and not the first of the buttons that draw it again. */}
        <button type="submit" hidden>
          {say(form, m.save)}
        </button>
        {fields}
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
          <button type="submit" class={look}>
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

interface GoneProps {
  readonly name: string | undefined
  readonly of: typeof m.gone | typeof m.gone_for_now | typeof m.applies_to
  readonly form: FormContext
}

/** The sentence, with the name of the record marked in it. */
function Gone({ name, of, form }: GoneProps) {
  if (name === undefined) return <>{say(form, m.gone_this)}</>
  const [before, after] = say(form, of({ name: '\n' })).split('\n')
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
  other,
}: {
  error: ErrorBody['error']
  /** Fields that have a control on the page. */
  names: ReadonlySet<string>
  reader: Reader
  /** Address of the page without the wrong parameters, if the faults are in its address. */
  reset?: string
  other?: DoingProps['other']
}) {
  const summary = details.length === 0 ? message : say(reader, m.faults, { count: details.length })
  const faults = details.map(({ pointer, message: text }) => {
    const [, field = ''] = pointer.split('/')
    return {
      message: text,
      href: names.has(field) ? `#${idOf(`/${field}`, { isQuery: reset === undefined ? undefined : true })}` : undefined,
    }
  })
  return (
    <FaultList summary={summary} faults={faults}>
      {other && (
        <p>
          <a href={other.href}>{say(reader, m.open_other, { name: other.name })}</a>
        </p>
      )}
      {reset !== undefined && (
        <p>
          <a href={reset}>{say(reader, ui.reset)}</a>
        </p>
      )}
    </FaultList>
  )
}
