/** An import: how far it is, what it took, and the lines that it refused with the reasons. */
import { mostOfForm } from '../../../runtime/call/multipart.ts'
import type { NamedOperation } from '../../../runtime/table/table.ts'
import { labelOf } from '../../../runtime/ui/operation-labels.ts'
import { linesOf } from '../../../runtime/ui/fields/pairs.tsx'
import { inUnit } from '../../../runtime/ui/format.ts'
import { say, told } from '../../../runtime/ui/languages/index.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { JobState, whileOpen } from '../../../runtime/ui/job-state.tsx'
import { jobIn, list, number, record, type Row, sentence, text } from './read.ts'
import { Code } from '../../../runtime/ui/copy.tsx'
import type { Seen, View } from './view.ts'

/** Refused lines on the page; the others are in the file. */
const SHOWN = 20
const saidAbove = ['site_id', 'filename', 'status', 'progress', 'error', 'rows_read', 'rows_taken', 'rows_refused']
const counts = ['rows_read', 'rows_taken', 'rows_refused'] as const

export const importView: View = {
  parts: ['[RefusedLine]', 'ImportUpload'],
  keeps: ['upload_url'],
  async show(seen) {
    const { data, viewer, schema, pathOf } = seen
    const status = text(data.status)
    const path = number(data.rows_refused) > 0 ? pathOf('[RefusedLine]', { id: text(data.id) }) : undefined
    const refused = path === undefined ? [] : list((await seen.ask('[RefusedLine]', { per_page: SHOWN }, { id: text(data.id) }))?.rows)
    const empty = Object.keys(data).filter(name => data[name] === null || isEmpty(data[name]))
    const start = seen.does.find(({ path }) => path.endsWith('/start'))
    const upload = status === 'awaiting_upload' && start ? await seen.ask('ImportUpload', {}, { id: text(data.id) }) : undefined
    const isDry = status === 'completed' && data.dry_run === true
    const isHere = upload !== undefined && number(upload.received) > 0 && number(upload.received) === number(upload.total)
    const again = isDry || isHere || status === 'failed' ? seen.formFor('Import', askedAgain(data)) : undefined
    return {
      title: text(data.filename),
      ...whileOpen(jobIn(data)),
      ...(upload && start && { brings: [start] }),
      content: (
        <>
          <section class="card" aria-label={fieldWords('status', viewer)}>
            <JobState job={jobIn(data)} viewer={viewer} />
            {status === 'awaiting_upload' && !upload && <p class="help">{say(viewer, 'import_awaits')}</p>}
            {status !== 'awaiting_upload' && (
              <dl>
                {counts.map(name => (
                  <>
                    <dt>{fieldWords(name, viewer)}</dt>
                    <dd>{inUnit(number(data[name]), 'count', viewer)}</dd>
                  </>
                ))}
              </dl>
            )}
            {again !== undefined && (
              <>
                {isDry && <p class="help">{say(viewer, 'import_was_dry')}</p>}
                <p class="ends">
                  <a class={isDry ? 'button' : 'button plain'} href={again}>
                    {say(viewer, isDry ? 'import_for_good' : 'import_otherwise')}
                  </a>
                </p>
              </>
            )}
          </section>
          {upload && start && <Upload upload={upload} start={start} seen={seen} />}
          {path !== undefined && refused.length > 0 && <RefusedLines rows={refused} path={path} seen={seen} />}
          <div class="card">
            <RecordView schema={schema} data={data} viewer={viewer} without={new Set([...saidAbove, ...empty])} />
          </div>
        </>
      ),
    }
  },
}

/** What the same import is asked for with, to be stored this time. */
function askedAgain(data: Row): Record<string, string> {
  const texts = ['source', 'filename', 'timezone', 'from', 'to'].map(name => [name, text(data[name])] as const)
  const map = record(data.map)
  return Object.fromEntries([
    ...texts.filter(([, value]) => value !== ''),
    ...(Object.keys(map).length > 0 ? [['map', linesOf(map)] as const] : []),
  ])
}

/** Sends the file from here (`client/upload.js`), without scripts by a form; larger ones from a terminal. The button starts it. */
function Upload({ upload, start, seen: { viewer, data, url } }: { upload: Row; start: NamedOperation; seen: Seen }) {
  const { pathname, search } = new URL(text(upload.upload_url))
  const [received, total, filename] = [number(upload.received), number(upload.total), text(data.filename)]
  return (
    <section
      class="card"
      aria-labelledby="upload"
      data-upload={pathname + search}
      data-filename={filename}
      data-received={received}
      data-total={total}
      data-sending={say(viewer, 'upload_sending')}
      data-broken={say(viewer, 'upload_broken')}
      data-too-large={say(viewer, 'upload_too_large')}
      data-other={say(viewer, 'upload_other', { filename })}
    >
      <h2 id="upload">{say(viewer, 'upload')}</h2>
      <p class="field" data-scripted="" hidden>
        <label for="upload-file">{say(viewer, 'upload_choose', { filename })}</label>
        <input type="file" id="upload-file" />
      </p>
      {received > 0 && total > received && (
        <p class="help">
          {say(viewer, 'upload_part', { received: inUnit(received, 'bytes', viewer), total: inUnit(total, 'bytes', viewer) })}
        </p>
      )}
      <noscript>
        <form method="post" enctype="multipart/form-data" action={pathname + search}>
          <p class="field">
            <label for="upload-plain">{say(viewer, 'upload_choose', { filename })}</label>
            <input type="file" id="upload-plain" name="file" required />
            <span class="help">{say(viewer, 'upload_plain', { most: inUnit(mostOfForm, 'bytes', viewer) })}</span>
          </p>
          <p class="ends">
            <button type="submit">{say(viewer, 'upload')}</button>
          </p>
        </form>
      </noscript>
      <progress max={1} value={0} aria-label={fieldWords('progress', viewer)} hidden />
      <p role="status" />
      <details>
        <summary>{say(viewer, 'upload_terminal')}</summary>
        <Code content={`curl -T '${filename.replaceAll("'", "'\\''")}' '${text(upload.upload_url)}'`} reader={viewer} />
      </details>
      <form method="post" action={`${url.pathname}/start`}>
        <p class="ends">
          <button type="submit" class={received > 0 ? undefined : 'plain'}>
            {labelOf(start, viewer)}
          </button>
        </p>
      </form>
    </section>
  )
}

const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0

function RefusedLines({ rows, path, seen: { viewer, data } }: { rows: readonly Row[]; path: string; seen: Seen }) {
  const head = (name: string) => fieldWords(name, viewer)
  const count = number(data.rows_refused)
  const isArchive = new Set(rows.map(row => row.file)).size > 1
  return (
    <section class="card" aria-labelledby="refused">
      <h2 id="refused">
        {count > rows.length
          ? say(viewer, 'import_refused_some', { shown: rows.length, count: inUnit(count, 'count', viewer) })
          : say(viewer, 'import_refused')}
      </h2>
      <table>
        <thead>
          <tr>
            {isArchive && <th scope="col">{head('file')}</th>}
            <th scope="col" class="number">
              {head('line')}
            </th>
            <th scope="col">{head('reason')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr>
              {isArchive && <td>{text(row.file)}</td>}
              <th scope="row" class="number">
                {inUnit(number(row.line), 'count', viewer)}
              </th>
              <td>
                {told(viewer, sentence(row.reason))}
                {text(row.text) !== '' && (
                  <>
                    <br />
                    <code>{text(row.text)}</code>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="ends">
        <a class="button plain" href={`${path}.csv?per_page=10000`} download>
          {say(viewer, 'import_refused_all')}
        </a>
      </p>
    </section>
  )
}
