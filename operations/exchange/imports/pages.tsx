import type { Static } from '../../../runtime/table/schema.ts'
import { CardList } from '../../../runtime/ui/card-list.tsx'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { linesOf } from '../../../runtime/ui/fields/pairs.tsx'
import { day, inUnit, instant } from '../../../runtime/ui/format.ts'
import { JobState, whileOpen } from '../../../runtime/ui/job-state.tsx'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { form } from '../../../runtime/ui/form-layout.ts'
import { listOf, listView, view } from '../../../runtime/ui/view.ts'
import { fieldWords, valueWords } from '../../../runtime/ui/words.ts'
import { importFields } from './form.tsx'
import { imports_create, imports_start } from './operations.ts'
import { Import, ImportUpload, Refused } from './records.ts'
import { RefusedLines } from './refused-lines.tsx'
import { imports_upload_get } from './upload.ts'
import { workspace_imports_start } from './of-workspace.ts'
import { WorkspaceImport } from './workspace/records.ts'
import { UploadPanel } from './upload-panel.tsx'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

export const createImport = form(imports_create, importFields)

/** Refused lines on the page; the others are in the file. */
const MAX_LINES = 20
/** The title and the card above the record state these fields. */
const inCard = ['site_id', 'filename', 'status', 'progress', 'error', 'rows_read', 'rows_taken', 'rows_refused']
const counts = ['rows_read', 'rows_taken', 'rows_refused'] as const

/** An import: its progress, the upload of its file, its counts, and the lines that it refused with the reasons. */
export const importPage = view(
  Import,
  async ({ data, page }) => {
    const { viewer, schema } = page
    const { id, status } = data
    const path = data.rows_refused > 0 ? page.pathOf(listOf(Refused), { id }) : undefined
    const refused = (path !== undefined && (await page.ask(listOf(Refused), { id, per_page: MAX_LINES }))) || []
    const start = page.offered(imports_start)
    const upload = status === 'awaiting_upload' && start ? await page.ask(imports_upload_get, { id }) : undefined
    const isDry = status === 'completed' && data.dry_run
    const isHere = upload !== undefined && upload.received > 0 && upload.received === upload.total
    const again = isDry || isHere || status === 'failed' ? page.formFor(imports_create, inputAgain(data)) : undefined
    return {
      title: data.filename,
      ...whileOpen(data),
      ...(upload && start && { brings: [start] }),
      content: (
        <>
          <section class="card" aria-label={fieldWords('status', viewer)}>
            <JobState job={data} viewer={viewer} />
            {status === 'awaiting_upload' && !upload && <p class="help">{say(viewer, m.import_awaits)}</p>}
            {status !== 'awaiting_upload' && (
              <dl>
                {counts.map(name => (
                  <>
                    <dt>{fieldWords(name, viewer)}</dt>
                    <dd>{inUnit(data[name], 'count', viewer)}</dd>
                  </>
                ))}
              </dl>
            )}
            {again !== undefined && (
              <>
                {isDry && <p class="help">{say(viewer, m.import_was_dry)}</p>}
                <p class="ends">
                  <a class={isDry ? 'button' : 'button plain'} href={again}>
                    {say(viewer, isDry ? m.import_for_good : m.import_otherwise)}
                  </a>
                </p>
              </>
            )}
          </section>
          {upload && start && <UploadPanel upload={upload} filename={data.filename} start={start} page={page} />}
          {path !== undefined && refused.length > 0 && (
            <RefusedLines lines={refused} count={data.rows_refused} path={path} viewer={viewer} />
          )}
          <div class="card">
            <RecordView schema={schema} data={data} viewer={viewer} without={new Set([...inCard, ...emptyFields(data)])} />
          </div>
        </>
      ),
    }
  },
  { parts: [Refused, ImportUpload], keeps: ['upload_url'] },
)

/** Imports as cards, each with its state. @param about the line below the name of the file */
function cardsOf<R extends { readonly filename: string; readonly status: string }>(
  rows: readonly R[],
  { viewer, hrefOf }: Pick<ViewedPage, 'viewer' | 'hrefOf'>,
  about: (row: R) => string,
) {
  if (rows.length === 0) return undefined
  const cards = rows.map(row => ({
    name: row.filename,
    href: hrefOf(row),
    beside: <Tag value={row.status} viewer={viewer} />,
    about: about(row),
  }))
  return <CardList cards={cards} />
}

export const importList = listView(Import, ({ rows, page }) =>
  cardsOf(rows, page, ({ source, from, to, dry_run, rows_taken }) =>
    [
      valueWords(source, page.viewer),
      from !== null && to !== null && `${day(from, page.viewer)} – ${day(to, page.viewer)}`,
      rows_taken > 0 && say(page.viewer, dry_run ? m.rows_would_be_taken : m.rows_taken, { count: rows_taken }),
    ]
      .filter(Boolean)
      .join(' · '),
  ),
)

export const workspaceImportList = listView(WorkspaceImport, ({ rows, page }) =>
  cardsOf(rows, page, ({ created_at }) => instant(created_at, page.viewer)),
)

/** The card and the title state these fields of an import of a workspace. */
const inWorkspaceCard = ['workspace_id', 'filename', 'status', 'progress', 'error', 'rows', 'upload_url', 'received', 'total']

/** An import of a workspace: its progress, the upload of its file, and what it brought. */
export const workspaceImportPage = view(
  WorkspaceImport,
  async ({ data, page }) => {
    const { viewer, schema } = page
    const { upload_url, received, total, status } = data
    const start = upload_url === null ? undefined : page.offered(workspace_imports_start)
    return {
      title: data.filename,
      ...whileOpen(data),
      ...(start && { brings: [start] }),
      content: (
        <>
          <section class="card" aria-label={fieldWords('status', viewer)}>
            <JobState job={data} viewer={viewer} />
            {status !== 'awaiting_upload' && (
              <dl>
                <dt>{fieldWords('rows', viewer)}</dt>
                <dd>{inUnit(data.rows, 'count', viewer)}</dd>
              </dl>
            )}
          </section>
          {start && upload_url !== null && (
            <UploadPanel upload={{ upload_url, received, total }} filename={data.filename} start={start} page={page} />
          )}
          <div class="card">
            <RecordView
              schema={schema}
              data={data}
              viewer={viewer}
              named={await page.names()}
              without={new Set([...inWorkspaceCard, ...emptyFields(data)])}
            />
          </div>
        </>
      ),
    }
  },
  { keeps: ['upload_url'] },
)

/** Input of the form that creates the same import again. A dry run is then stored. */
function inputAgain({ source, filename, timezone, from, to, map, overlap }: Static<typeof Import>): Record<string, string> {
  const texts = Object.entries({ source, filename, timezone, from: from ?? '', to: to ?? '', map: linesOf(map), overlap })
  return Object.fromEntries(texts.filter(([, value]) => value !== ''))
}

/** Names of the fields that a record has no value for, which the page leaves out. */
const emptyFields = (data: object): string[] => Object.entries(data).flatMap(([name, value]) => (isEmpty(value) ? [name] : []))
const isEmpty = (value: unknown): boolean => value === null || (typeof value === 'object' && Object.keys(value).length === 0)
