/** A message as a plain-text e-mail. */
import type { SendMailOptions } from 'nodemailer'
import type { SaidMessage } from '../message.ts'

/** @param host of this service, for the ids of messages and threads (RFC 5322 §3.6.4) */
export function email(id: string, { title, text, facts, url, thread }: SaidMessage, host: string): SendMailOptions {
  const lines = facts.map(({ label, value }) => `${label}: ${value}`)
  return {
    subject: title,
    text: [text, '', ...lines, '', url, ''].join('\n'),
    messageId: `<${id}@${host}>`,
    references: `<${thread}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834 §5: asks machines not to answer
  }
}
