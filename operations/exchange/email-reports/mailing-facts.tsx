/** When a report is mailed and to whom, as its page and the list of reports show it. */
import type { Static } from '../../../runtime/table/schema.ts'
import { instant, type Viewer } from '../../../runtime/ui/format.ts'
import { valueWords } from '../../../runtime/ui/words.ts'
import type { EmailReport } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

type Report = Static<typeof EmailReport>

/** The time zone of the first site, by which a report is mailed. */
export const zoneOf = (
  { site_ids }: Pick<Report, 'site_ids'>,
  sites: readonly { readonly id: string; readonly timezone: string }[],
): string | undefined => sites.find(({ id }) => id === site_ids[0])?.timezone

/** The frequency and the hour, in the time zone of the report's first site: `Weekly at 8:00 AM (Europe/Berlin)`. */
export function rhythm(
  { site_ids, frequency, hour }: Report,
  sites: readonly { readonly id: string; readonly timezone: string }[],
  viewer: Viewer,
): string {
  const zone = zoneOf({ site_ids }, sites)
  const at = say(viewer, m.mailed_at, {
    how: valueWords(frequency, viewer),
    hour: new Intl.DateTimeFormat(viewer.locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(hour * HOUR_MS),
  })
  return zone === undefined ? at : `${at} (${zone.replaceAll('_', ' ')})`
}

interface NextAndLastProps {
  readonly report: Report
  /** Time zone of the report's first site, by which it is mailed. */
  readonly zone: string | undefined
  readonly viewer: Viewer
}

/** Times in the time zone of the report, which the hour is in. */
export function NextAndLast({ report: { next_at, last_sent_at }, zone, viewer: reader }: NextAndLastProps) {
  const viewer = zone === undefined ? reader : { ...reader, timezone: zone }
  return (
    <>
      {next_at !== null && say(viewer, m.mailed_next, { when: instant(next_at, viewer) })}
      {next_at !== null && last_sent_at !== null && ' · '}
      {last_sent_at !== null && say(viewer, m.mailed_last, { when: instant(last_sent_at, viewer) })}
      {zone !== undefined && (next_at ?? last_sent_at) !== null && ` (${zone.replaceAll('_', ' ')})`}
    </>
  )
}

export const LastError = ({ report: { last_error }, viewer }: { report: Report; viewer: Viewer }) =>
  last_error === null ? null : <p class="bad">{say(viewer, last_error)}</p>

/** The names of these ids. Ids that are not known are omitted. */
export const namesOf = (ids: readonly string[], rows: readonly { readonly id: string; readonly name: string }[]): string[] =>
  ids.flatMap(id => rows.find(row => row.id === id)?.name || [])

export function recipientsCounted({ recipients, unsubscribed }: Report, viewer: Viewer): string {
  const counted = say(viewer, m.recipients_counted, { count: recipients.length })
  return unsubscribed.length === 0 ? counted : `${counted}, ${say(viewer, m.unsubscribed_counted, { count: unsubscribed.length })}`
}
