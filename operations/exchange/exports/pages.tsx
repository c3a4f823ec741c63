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
import { WorkspaceExport } from './workspace-records.ts'
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

interface FileCardProps {
  readonly data: Omit<Static<typeof WorkspaceExport>, 'workspace_id' | 'left_out'>
  readonly viewer: Viewer
}

/** The progress of an export, and its file. */
function FileCard({ data, viewer }: FileCardProps) {
  const { download_url: url, expires_at } = data
  return (
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
  )
}

export const exportPage = view(Export, async ({ data, page }) => {
  const { viewer, schema } = page
  return {
    title: nameOf(data, viewer),
    ...whileOpen(data),
    content: (
      <>
        <FileCard data={data} viewer={viewer} />
        <div class="card">
          <RecordView schema={schema} data={data} viewer={viewer} named={await page.names()} without={inCard} />
        </div>
      </>
    ),
  }
})

/** Exports of the workspace as cards. */
export const workspaceExportList = listView(WorkspaceExport, ({ rows, page }) => {
  if (rows.length === 0) return undefined
  const { viewer } = page
  const cards = rows.map(row => ({
    name: say(viewer, m.workspace_export_of, { when: instant(row.created_at, viewer) }),
    href: page.hrefOf(row),
    beside: <Tag value={row.status} viewer={viewer} />,
    about: say(viewer, m.export_rows, { count: inUnit(row.rows, 'count', viewer) }),
  }))
  return <CardList cards={cards} />
})

export const workspaceExportPage = view(WorkspaceExport, async ({ data, page }) => {
  const { viewer, schema } = page
  const without = new Set([...inCard, 'workspace_id', ...(data.left_out.length === 0 ? ['left_out'] : [])])
  return {
    title: say(viewer, m.workspace_export_of, { when: instant(data.created_at, viewer) }),
    ...whileOpen(data),
    content: (
      <>
        <FileCard data={data} viewer={viewer} />
        <div class="card">
          <RecordView schema={schema} data={data} viewer={viewer} without={without} />
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
