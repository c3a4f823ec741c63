import { capital } from '../../../runtime/texts/names.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import { CardList } from '../../../runtime/ui/card-list.tsx'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { day, inUnit, instant, type Viewer } from '../../../runtime/ui/format.ts'
import { JobState, whileOpen } from '../../../runtime/ui/job-state.tsx'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { listView, view } from '../../../runtime/ui/view.ts'
import { fieldWords, valueWords } from '../../../runtime/ui/words.ts'
import { form } from '../../../runtime/ui/form-layout.ts'
import { exportFields } from './form.tsx'
import { exports_create } from './operations.ts'
import { Export } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

/** The title and the card above the record state these fields. */
const inCard = new Set([
  'site_id',
  'kind',
  'format',
  'from',
  'to',
  'status',
  'progress',
  'error',
  'download_url',
  'rows',
  'bytes',
  'expires_at',
  'raw',
  'bom',
  'sha256',
])

/** Exports as cards, each with its state. */
export const exportList = listView(Export, ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const { viewer } = page
  const cards = rows.map(row => ({
    name: nameOf(row, viewer),
    href: page.hrefOf(row),
    beside: <Tag value={row.status} viewer={viewer} />,
    about: instant(row.created_at, viewer),
  }))
  return <CardList cards={cards} />
})

/** An export: its progress, and its file. */
export const exportPage = view(Export, async ({ data, page }) => {
  const { viewer, schema } = page
  const { download_url: url, expires_at } = data
  return {
    title: nameOf(data, viewer),
    ...whileOpen(data),
    content: (
      <>
        <section class="card" aria-label={fieldWords('status', viewer)}>
          <JobState job={data} viewer={viewer} />
          <p>{say(viewer, m.export_rows, { count: inUnit(data.rows, 'count', viewer) })}</p>
          {url !== null && (
            <p class="ends">
              <a class="button" href={url} download>
                {say(viewer, m.export_file, { size: inUnit(data.bytes ?? 0, 'bytes', viewer) })}
              </a>
            </p>
          )}
          {url !== null && expires_at !== null && <p class="help">{say(viewer, m.export_until, { when: instant(expires_at, viewer) })}</p>}
          {url !== null && data.sha256 !== null && (
            <p class="help">
              SHA-256 <code class="long">{data.sha256}</code>
            </p>
          )}
          {url === null && data.status === 'completed' && <p class="help">{say(viewer, m.export_gone)}</p>}
        </section>
        <div class="card">
          <RecordView schema={schema} data={data} viewer={viewer} named={await page.names()} without={inCard} />
        </div>
      </>
    ),
  }
})

export const createExport = form(exports_create, exportFields)

/** `Hits, CSV, Nov 1, 2026 – Nov 23, 2026` */
const nameOf = ({ kind, format, from, to }: Static<typeof Export>, viewer: Viewer): string =>
  capital(
    say(viewer, m.export_named, {
      kind: valueWords(kind, viewer),
      format: valueWords(format, viewer),
      from: day(from, viewer),
      to: day(to, viewer),
    }),
  )
