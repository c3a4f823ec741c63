/** Small pieces of pages. */
import type { NamedOperation } from '../../runtime/table.ts'
import { doneWords, labelOf } from './doing.tsx'
import type { Viewer } from './format.ts'
import { inLanguage, type Reader, say } from './languages/index.ts'
import { recordOf } from './places.ts'
import { RecordView } from './record.tsx'
import type { Way } from './ways.ts'
import { fieldWords, plainText, withQuery } from './words.ts'

export function Crumbs({ ways, reader }: { ways: readonly Way[]; reader: Reader }) {
  if (ways.length === 0) return null
  return (
    <nav class="crumbs" aria-label={say(reader, 'above')}>
      {ways.map(({ href, label }) => (
        <>
          <a href={href}>{inLanguage(reader, label)}</a> <span aria-hidden="true">/</span>{' '}
        </>
      ))}
    </nav>
  )
}

export function Empty({
  operation,
  does,
  url,
  isNarrowed,
  viewer,
}: {
  operation: NamedOperation
  does: readonly NamedOperation[]
  url: URL
  isNarrowed: boolean
  viewer: Viewer
}) {
  const create = does.find(({ effect }) => effect === 'create')
  if (isNarrowed) return <p>{say(viewer, 'nothing_fits')}</p>
  return (
    <>
      <p>{say(viewer, 'nothing_yet')}</p>
      {operation.description && <p class="help">{plainText(operation.description)}</p>}
      {create && (
        <a class="button" href={withQuery(url, { do: create.id })}>
          {labelOf(create, viewer)}
        </a>
      )}
    </>
  )
}

interface OnceProps {
  readonly operation: NamedOperation
  readonly record: Readonly<Record<string, unknown>>
  readonly onwards: string
  readonly viewer: Viewer
}

/** Secrets are shown in the answer alone. */
export function Once({ operation, record, onwards, viewer }: OnceProps) {
  const { secrets, output } = operation
  return (
    <>
      <h1>{doneWords(operation, recordOf(operation), viewer)}</h1>
      <section class="card">
        <p>
          <b>{say(viewer, 'copy_now')}</b>
        </p>
        {secrets.map(name => (
          <p>
            {fieldWords(name, viewer)}
            <code class="secret">{String(record[name] ?? '')}</code>
          </p>
        ))}
        <p>
          <a class="button" href={onwards}>
            {say(viewer, 'copied')}
          </a>
        </p>
      </section>
      <div class="card">
        <RecordView schema={output} data={record} viewer={viewer} without={new Set(secrets)} />
      </div>
    </>
  )
}
