/** An export: how far it is, and its file. */
import { Tag } from '../../../runtime/ui/cell.tsx'
import { day, inUnit, instant } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import { RecordView } from '../../../runtime/ui/record.tsx'
import { capital } from '../../../runtime/texts/names.ts'
import { fieldWords, valueWords } from '../../../runtime/ui/words.ts'
import { cardList } from './card-list.tsx'
import { JobState, whileOpen } from '../../../runtime/ui/job-state.tsx'
import { jobIn, number, type Row, text } from './read.ts'
import type { Seen, View } from './view.ts'

const saidAbove = [
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
]

/** `Hits, CSV, Nov 1, 2026 – Nov 23, 2026` */
const nameOf = (row: Row, { viewer }: Seen): string =>
  capital(
    say(viewer, 'export_named', {
      kind: valueWords(row.kind, viewer),
      format: valueWords(row.format, viewer),
      from: day(text(row.from), viewer),
      to: day(text(row.to), viewer),
    }),
  )

export const exportList: View = cardList((row, seen) => ({
  name: nameOf(row, seen),
  beside: <Tag value={text(row.status)} viewer={seen.viewer} />,
  about: typeof row.created_at === 'string' ? instant(row.created_at, seen.viewer) : '',
}))

export const exportView: View = {
  async show(seen) {
    const { data, viewer, schema } = seen
    const status = text(data.status)
    const url = text(data.download_url)
    return {
      title: nameOf(data, seen),
      ...whileOpen(jobIn(data)),
      content: (
        <>
          <section class="card" aria-label={fieldWords('status', viewer)}>
            <JobState job={jobIn(data)} viewer={viewer} />
            <p>{say(viewer, 'export_rows', { count: inUnit(number(data.rows), 'count', viewer) })}</p>
            {url !== '' && (
              <p class="ends">
                <a class="button" href={url} download>
                  {say(viewer, 'export_file', { size: inUnit(number(data.bytes), 'bytes', viewer) })}
                </a>
              </p>
            )}
            {url !== '' && typeof data.expires_at === 'string' && (
              <p class="help">{say(viewer, 'export_until', { when: instant(data.expires_at, viewer) })}</p>
            )}
            {url === '' && status === 'completed' && <p class="help">{say(viewer, 'export_gone')}</p>}
          </section>
          <div class="card">
            <RecordView schema={schema} data={data} viewer={viewer} named={await seen.names()} without={new Set(saidAbove)} />
          </div>
        </>
      ),
    }
  },
}
