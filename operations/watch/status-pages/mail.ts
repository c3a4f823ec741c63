/** The mail that notifies a subscriber of an incident. It is plain text, because readers use phones during outages. */
import type { SendMailOptions } from 'nodemailer'
import type { Config } from '../../../runtime/settings/config.ts'
import { oneLine } from '../../../runtime/values/one-line.ts'
import { among } from '../../../runtime/table/schema.ts'
import type {
  StatusIncidentRow,
  StatusIncidentUpdateRow,
  StatusMessageRow,
  StatusPageRow,
  StatusSubscriberRow,
} from '../../../storage/tables/status-pages.ts'
import { incidentPath } from './records.ts'
import { subscriptionUrl } from './subscription.ts'
import { statuses } from './timeline.ts'
import { statusWords, wordsFor } from './page-words.ts'
import { m } from './messages.ts'

interface Notice {
  readonly page: StatusPageRow
  readonly incident: StatusIncidentRow
  readonly subscriber: StatusSubscriberRow
  /** Newest first. */
  readonly updates: readonly [StatusIncidentUpdateRow, ...StatusIncidentUpdateRow[]]
  readonly message: StatusMessageRow
}

/** Composes the mail. Mail programs show a button to unsubscribe (RFC 8058) and can sort by list (RFC 2919). */
export async function mailAbout(
  { page, incident, subscriber, updates, message }: Notice,
  config: Pick<Config, 'BASE_URL'>,
  token: string,
): Promise<SendMailOptions> {
  const { hostname } = new URL(config.BASE_URL)
  const [latest] = updates
  const ends = subscriptionUrl(config, token)
  const { say, time } = await wordsFor(page)
  const planned =
    incident.kind === 'maintenance' && incident.ends_at !== null
      ? [say(m.planned_from_to_to, { from: time(incident.starts_at), to: time(incident.ends_at) })]
      : []
  return {
    to: subscriber.email,
    subject: oneLine(`[${page.name}] ${say(statusWords[among(statuses, latest.status)])}: ${incident.title}`),
    text: `${[
      incident.title,
      ...planned,
      ...updates.map(({ status, body, created_at }) =>
        [`${say(statusWords[among(statuses, status)])} – ${time(created_at)}`, ...(body === '' ? [] : [body])].join('\n'),
      ),
      say(m.all_about_it_address, { address: `${config.BASE_URL}${incidentPath(page, incident.id)}` }),
      `--\n${say(m.you_get_this_mail_because_email, {
        email: subscriber.email,
        name: page.name,
        address: ends,
      })}`,
    ].join('\n\n')}\n`,
    // A retry has the same id, because it starts with the same update.
    messageId: `<${message.id}.${message.told_until}@${hostname}>`,
    references: `<${incident.id}.${subscriber.id}@${hostname}>`,
    headers: {
      'List-Unsubscribe': `<${ends}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'List-Id': `<${page.id.replace('_', '-')}.status.${hostname}>`,
      'Auto-Submitted': 'auto-generated', // RFC 3834 §5
    },
  }
}
