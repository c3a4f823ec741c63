/** The mail that notifies a subscriber of an incident: text, and the same as HTML. */
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
import { common } from '../../../runtime/texts/common.ts'

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
  const { hostname, origin } = new URL(config.BASE_URL)
  const { letterHtml } = await import('../../people/mail/components.tsx')
  const [latest] = updates
  const ends = subscriptionUrl(config, token)
  const { say, time } = await wordsFor(page)
  const planned =
    incident.kind === 'maintenance' && incident.ends_at !== null
      ? [say(m.planned_from_to_to, { from: time(incident.starts_at), to: time(incident.ends_at) })]
      : []
  const subject = oneLine(`[${page.name}] ${say(statusWords[among(statuses, latest.status)])}: ${incident.title}`)
  const news = [
    ...planned,
    ...updates.map(({ status, body, created_at }) =>
      [`${say(statusWords[among(statuses, status)])} – ${time(created_at)}`, ...(body === '' ? [] : [body])].join('\n'),
    ),
  ]
  const address = `${config.BASE_URL}${incidentPath(page, incident.id)}`
  const reason = say(m.you_get_this_mail_because_email, { email: subscriber.email, name: page.name, address: ends })
  return {
    to: subscriber.email,
    subject,
    text: `${[incident.title, ...news, say(m.all_about_it_address, { address }), `--\n${reason}`].join('\n\n')}\n`,
    html: await letterHtml({
      from: page.name,
      subject: incident.title,
      locale: say.locale,
      text: [...news, address],
      tone: latest.status === 'resolved' || latest.status === 'completed' ? 'good' : incident.kind === 'maintenance' ? undefined : 'bad',
      foot: reason.split('\n'),
      origin,
      open: say(common.open),
    }),
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
