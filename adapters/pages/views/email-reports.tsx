/** Reports that are mailed: when, about what, to whom, and how the next one would look. */
import type { Child } from 'hono/jsx'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import { say, told } from '../../../runtime/ui/languages/index.ts'
import { fieldWords, valueWords } from '../../../runtime/ui/words.ts'
import { list, number, type Row, sentence, text } from './read.ts'
import type { Seen, View } from './view.ts'

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** How often, and at which hour of the first of its sites. */
function rhythm(row: Row, sites: readonly Row[], viewer: Viewer): string {
  const [first = ''] = texts(row.site_ids)
  const zone = text(sites.find(({ id }) => id === first)?.timezone)
  const at = say(viewer, 'mailed_at', {
    how: valueWords(row.frequency, viewer),
    hour: new Intl.DateTimeFormat(viewer.locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
      number(row.hour) * 3_600_000,
    ),
  })
  return zone === '' ? at : `${at} (${zone})`
}

const NextAndLast = ({ row, viewer }: { row: Row; viewer: Viewer }) => (
  <>
    {typeof row.next_at === 'string' && say(viewer, 'mailed_next', { when: instant(row.next_at, viewer) })}
    {typeof row.next_at === 'string' && typeof row.last_sent_at === 'string' && ' · '}
    {typeof row.last_sent_at === 'string' && say(viewer, 'mailed_last', { when: instant(row.last_sent_at, viewer) })}
  </>
)

const Trouble = ({ row, viewer }: { row: Row; viewer: Viewer }) =>
  row.last_error === null ? null : <p class="bad">{told(viewer, sentence(row.last_error))}</p>

/** The names of these ids, those that are not known left out. */
const named = (ids: unknown, rows: readonly Row[]): string[] => texts(ids).flatMap(id => text(rows.find(row => row.id === id)?.name) || [])

export const emailReports: View = {
  async show({ data, viewer, hrefOf, ask }) {
    const rows = list(data.rows)
    if (rows.length === 0) return undefined
    const sites = list((await ask('[Site]', { per_page: 100 }))?.rows)
    return {
      content: (
        <ul class="folded">
          {rows.map(row => (
            <li class="card">
              <p>
                <b>
                  <a href={hrefOf(row)}>{text(row.name)}</a>
                </b>{' '}
                {row.enabled !== true && <Tag value={say(viewer, 'off')} viewer={viewer} />}
              </p>
              <p class="help">
                {[rhythm(row, sites, viewer), named(row.site_ids, sites).join(', '), recipientsOf(row, viewer)]
                  .filter(each => each !== '')
                  .join(' · ')}
              </p>
              <p class="help">
                <NextAndLast row={row} viewer={viewer} />
              </p>
              <Trouble row={row} viewer={viewer} />
            </li>
          ))}
        </ul>
      ),
    }
  },
}

function recipientsOf(row: Row, viewer: Viewer): string {
  const [recipients, gone] = [texts(row.recipients).length, texts(row.unsubscribed).length]
  const counted = say(viewer, 'recipients_counted', { count: recipients })
  return gone === 0 ? counted : `${counted}, ${say(viewer, 'unsubscribed_counted', { count: gone })}`
}

export const emailReport: View = {
  async show(seen) {
    const { data, viewer, url } = seen
    const sites = list((await seen.ask('[Site]', { per_page: 100 }))?.rows)
    const [unsubscribed, failing] = [new Set(texts(data.unsubscribed)), new Set(texts(data.failing))]
    const facts: readonly (readonly [label: string, value: Child])[] = [
      [fieldWords('site_ids', viewer), named(data.site_ids, sites).join(', ')],
      [fieldWords('segment_id', viewer), (await namesIn(seen, '[Segment]', data.segment_id === null ? [] : [data.segment_id])).join(', ')],
      [fieldWords('goal_ids', viewer), (await namesIn(seen, '[Goal]', data.goal_ids)).join(', ')],
      [
        fieldWords('panels', viewer),
        texts(data.panels)
          .map(name => fieldWords(name, viewer))
          .join(', '),
      ],
      [
        fieldWords('recipients', viewer),
        <ul class="plain-list">
          {texts(data.recipients).map(email => (
            <li>
              {email} {unsubscribed.has(email) && <Tag value={say(viewer, 'unsubscribed')} viewer={viewer} />}
              {failing.has(email) && <Tag value="failing" viewer={viewer} />}
            </li>
          ))}
        </ul>,
      ],
    ]
    return {
      content: (
        <>
          <section class="card">
            <p>
              {rhythm(data, sites, viewer)} {data.enabled !== true && <Tag value={say(viewer, 'off')} viewer={viewer} />}
            </p>
            <p class="help">
              <NextAndLast row={data} viewer={viewer} />
            </p>
            <Trouble row={data} viewer={viewer} />
            <dl>
              {facts
                .filter(([, value]) => value !== '')
                .map(([label, value]) => (
                  <>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </>
                ))}
            </dl>
          </section>
          {texts(data.site_ids).length > 0 && (
            <section class="card" aria-labelledby="preview">
              <h2 id="preview">{say(viewer, 'mail_preview')}</h2>
              <iframe class="preview" src={`${url.pathname}/preview`} title={say(viewer, 'mail_preview')} loading="lazy" />
            </section>
          )}
        </>
      ),
    }
  },
}

/** Names of records of the report's sites, whichever of them they are of. */
async function namesIn({ data, ask }: Seen, record: '[Goal]' | '[Segment]', ids: unknown): Promise<string[]> {
  if (texts(ids).length === 0) return []
  const found = await Promise.all(texts(data.site_ids).map(site_id => ask(record, { per_page: 100 }, { site_id })))
  const rows = found.flatMap(answer => list(answer?.rows))
  return named(ids, rows)
}
