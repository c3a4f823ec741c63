/** When a report is mailed and to whom, as its page and the list of reports show it. */
import type { Static } from '../../../runtime/table/schema.ts'
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import type { EmailReport } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

type Report = Static<typeof EmailReport>

/** The frequency and the hour, in the time zone of the report's first site: `Weekly at 8:00 AM (Europe/Berlin)`. */
export function rhythm(
  { site_ids, frequency, hour }: Report,
  sites: readonly { readonly id: string; readonly timezone: string }[],
  viewer: Viewer,
): string {
  const zone = sites.find(({ id }) => id === site_ids[0])?.timezone
  const at = say(viewer, m.mailed_at, {
    how: valueWords(frequency, viewer),
    hour: new Intl.DateTimeFormat(viewer.locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(hour * 3_600_000),
  })
  return zone === undefined ? at : `${at} (${zone})`
}

export const NextAndLast = ({ report: { next_at, last_sent_at }, viewer }: { report: Report; viewer: Viewer }) => (
  <>
    {next_at !== null && say(viewer, m.mailed_next, { when: instant(next_at, viewer) })}
    {next_at !== null && last_sent_at !== null && ' · '}
    {last_sent_at !== null && say(viewer, m.mailed_last, { when: instant(last_sent_at, viewer) })}
  </>
)

export const LastError = ({ report: { last_error }, viewer }: { report: Report; viewer: Viewer }) =>
  last_error === null ? null : <p class="bad">{say(viewer, last_error)}</p>

/** The names of these ids. Ids that are not known are omitted. */
export const namesOf = (ids: readonly string[], rows: readonly { readonly id: string; readonly name: string }[]): string[] =>
  ids.flatMap(id => rows.find(row => row.id === id)?.name || [])

export function recipientsCounted({ recipients, unsubscribed }: Report, viewer: Viewer): string {
  const counted = say(viewer, m.recipients_counted, { count: recipients.length })
  return unsubscribed.length === 0 ? counted : `${counted}, ${say(viewer, m.unsubscribed_counted, { count: unsubscribed.length })}`
}
