/** Small pieces of pages. */
import type { IconName } from '../../runtime/table/icons.ts'
import type { Content } from '../../runtime/table/page.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { doneWords, labelOf } from '../../runtime/ui/operation-labels.ts'
import type { Viewer } from '../../runtime/ui/format.ts'
import { capital } from '../../runtime/texts/names.ts'
import { recordOf } from './page-tree.ts'
import { outcomeIn } from './results.ts'
import { Icon } from '../../runtime/ui/icons/icon.tsx'
import { RecordView } from '../../runtime/ui/record.tsx'
import { Like } from '../../runtime/ui/share.tsx'
import { Copy } from '../../runtime/ui/copy.tsx'
import type { Way } from './record-links.ts'
import { fieldWords, withQuery } from '../../runtime/ui/words.ts'
import { m } from './messages.ts'
import { ui } from '../../runtime/ui/messages.ts'
import { declaredText } from '../../runtime/texts/catalogues.ts'
import type { Reader } from '../../runtime/texts/reader.ts'
import { say } from '../../runtime/texts/say.ts'

export function Crumbs({ ways, reader }: { ways: readonly Way[]; reader: Reader }) {
  if (ways.length === 0) return null
  return (
    <nav class="crumbs" aria-label={say(reader, m.above)}>
      {ways.map(({ href, label }, i) => (
        <>
          {i > 0 && <span aria-hidden="true"> / </span>}
          <a href={href}>{declaredText(reader, label)}</a>
        </>
      ))}
    </nav>
  )
}

/** The action that fills an empty list: it creates a record, or is the only one that is sent to the list, such as lines of a log. */
export function fillingOf(does: readonly NamedOperation[]): NamedOperation | undefined {
  const sent = does.filter(({ method }) => method === 'POST')
  return sent.find(({ effect }) => effect === 'create') ?? (sent.length === 1 ? sent[0] : undefined)
}

export function Empty({
  operation,
  does,
  url,
  isNarrowed,
  icon,
  viewer,
  described,
}: {
  operation: NamedOperation
  does: readonly NamedOperation[]
  url: URL
  isNarrowed: boolean
  /** Icon of the place in the navigation. */
  icon: IconName
  viewer: Viewer
  /** A description as people read it. */
  described(description: string): string
}) {
  const filling = fillingOf(does)
  if (isNarrowed) return <p>{say(viewer, m.nothing_fits)}</p>
  const { description = '', empty } = operation
  const isOrder = /^[\w ]+ first\.$/.test(description) // of no row, an order says nothing
  const help = filling ? purposeOf(filling, viewer) : description !== '' && !isOrder && described(description)
  return (
    <>
      {empty ? <Like icon={icon} rows={empty.like} /> : <Icon name={icon} />}
      <p class="none-yet">{empty ? declaredText(viewer, empty.says) : say(viewer, ui.nothing_yet)}</p>
      {!empty && help && <p class="help">{help}</p>}
      {filling && (
        <a class="button" href={withQuery(url, { do: filling.id })}>
          {labelOf(filling, viewer)}
        </a>
      )}
    </>
  )
}

/** `A page or event that counts as a conversion`, of `Create a goal: a page …`; undefined if the button says it all. */
function purposeOf(create: NamedOperation, viewer: Viewer): string | undefined {
  const summary = declaredText(viewer, create.summary)
  const [, purpose = summary] = summary.split(/\s?: (.*)/s)
  return purpose === labelOf(create, viewer) ? undefined : capital(purpose)
}

interface AnswerProps {
  readonly title: string
  /** Link that repeats the request, if the viewer may repeat it. */
  readonly again: Way | undefined
  /** The page that has the form. */
  readonly back: string
  readonly viewer: Viewer
  readonly content: Content | undefined
}

/** The result, if it has no page of its own. */
export function AnswerPage({ title, again, back, viewer, content }: AnswerProps) {
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        <div class="acts">
          <a class="button plain" href={back}>
            {say(viewer, m.back)}
          </a>
          {again && (
            <a class="button" href={again.href}>
              {again.label}
            </a>
          )}
        </div>
      </header>
      {content}
    </>
  )
}

interface OnceProps {
  readonly operation: NamedOperation
  readonly record: Readonly<Record<string, unknown>>
  readonly onwards: string
  readonly viewer: Viewer
}

/** A secret is shown for a few minutes, to the session that asked for it. */
export function Once({ operation, record, onwards, viewer }: OnceProps) {
  const { secrets, output } = operation
  const outcome = outcomeIn({ operation, record })
  return (
    <>
      <h1>{doneWords(operation, recordOf(operation), viewer)}</h1>
      <div class="card">
        {outcome && (
          <p>
            <b>{say(viewer, outcome.says)}</b>
          </p>
        )}
        {secrets.map((name, i) => (
          <p>
            {fieldWords(name, viewer)}
            <code class="secret">{String(record[name] ?? '')}</code> <Copy reader={viewer} isMain />{' '}
            {i === secrets.length - 1 && (
              <a class="button plain" href={onwards}>
                {say(viewer, m.copied)}
              </a>
            )}
          </p>
        ))}
        <p class="help">{say(viewer, m.copy_now)}</p>
      </div>
      <div class="card">
        <RecordView schema={output} data={record} viewer={viewer} without={new Set(secrets)} />
      </div>
    </>
  )
}
