/** A report as a mail: its headers, its two parts and its logo. */
import type { SendMailOptions } from 'nodemailer'
import type { Content } from '../content.ts'
import type { Logo } from '../logo.ts'
import { fitIntoMail } from './fit-into-mail.ts'
import { textOf } from './text.ts'
import { m } from '../messages.ts'

export interface Addressed {
  readonly id: string
  readonly reportId: string
  readonly to: string
  /** The recipient's unsubscribe address; null for a test mail. */
  readonly unsubscribe: string | null
  readonly baseUrl: string
}

/** Composes the subject. If a report covers only one site, the subject contains its visitors. */
export function subjectOf({ say, name, dates, sections, isEmpty }: Content): string {
  const [section, ...others] = sections
  const visitors = section?.figures[0]
  if (isEmpty || !visitors || others.length > 0) return say(m.name_dates, { name, dates })
  return say(m.name_visitors_visitors_dates, { name, dates, visitors: visitors.value })
}

export async function messageOf(content: Content, logo: Logo | null, addressed: Addressed): Promise<SendMailOptions> {
  const { id, reportId, to, unsubscribe, baseUrl } = addressed
  const { hostname, protocol, host } = new URL(baseUrl)
  const { say, name } = content
  const subject = subjectOf(content)
  const around = {
    subject,
    footer: [unsubscribe === null ? say(m.test_note) : say(m.you_get_this_because_your_address, { name, host })],
    unsubscribe,
  }
  const fit = await fitIntoMail(content, { ...around, logo: logo && 'cid:logo' })
  return {
    to: { name: '', address: to },
    subject,
    text: textOf(fit.content, around),
    html: fit.html,
    messageId: `<${id}@${hostname}>`,
    ...(logo && { attachments: [{ cid: 'logo', content: logo.bytes, contentType: logo.type, filename: logo.filename }] }),
    headers: {
      'Auto-Submitted': 'auto-generated', // RFC 3834 §5
      'List-Id': `<${reportId}.${hostname}>`, // RFC 2919
      ...(unsubscribe !== null && { 'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` } }), // RFC 2369 §3.2
      // Only over https (RFC 8058 §3.1).
      ...(unsubscribe !== null && protocol === 'https:' && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  }
}
