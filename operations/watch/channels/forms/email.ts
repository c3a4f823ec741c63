/** A message as a plain-text e-mail, in the language of who gets it. */
import type { SendMailOptions } from 'nodemailer'
import { type Reader, told } from '../../../../runtime/texts/index.ts'
import type { Message } from '../message.ts'

/** @param host of this service, for the ids of messages and threads (RFC 5322 §3.6.4) */
export function email(id: string, { title, text, facts, url, thread }: Message, host: string, reader: Reader): SendMailOptions {
  const lines = facts.map(({ label, value }) => `${told(reader, label)}: ${hasDigit.test(value) ? told(reader, value) : value}`)
  return {
    subject: told(reader, title),
    text: [told(reader, text), '', ...lines, '', url, ''].join('\n'),
    messageId: `<${id}@${host}>`,
    references: `<${thread}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834 §5: asks machines not to answer
  }
}

/** Without one it is somebody's own name for something. */
const hasDigit = /\d/
