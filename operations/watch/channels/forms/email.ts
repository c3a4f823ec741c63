/** A message as an e-mail: text, and the same as HTML. */
import type { SendMailOptions } from 'nodemailer'
import type { Say } from '../../../../runtime/texts/say.ts'
import { common } from '../../../../runtime/texts/common.ts'
import { type SaidMessage, tones } from '../message.ts'

const edges = { alarm: 'bad', relief: 'good', notice: undefined } as const

/** @param baseUrl of this service; its host is part of the ids of messages and threads (RFC 5322 §3.6.4) */
export async function email(
  id: string,
  { type, title, text, facts, url, thread }: SaidMessage,
  { baseUrl, say }: { baseUrl: string; say: Say },
): Promise<SendMailOptions> {
  const { hostname: host, origin } = new URL(baseUrl)
  const { letterHtml } = await import('../../../people/mail/components.tsx')
  const lines = facts.map(({ label, value }) => `${label}: ${value}`)
  return {
    subject: title,
    text: [text, '', ...lines, '', url, ''].join('\n'),
    html: await letterHtml({
      from: 'Footfall',
      subject: title,
      locale: say.locale,
      text: [text, url],
      facts,
      tone: edges[tones[type]],
      origin,
      open: say(common.open),
    }),
    messageId: `<${id}@${host}>`,
    references: `<${thread}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834 §5: asks machines not to answer
  }
}
