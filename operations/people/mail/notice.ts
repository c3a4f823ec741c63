/** Tells somebody by mail that their account was changed, so that they learn of it where it was not them. */
import { sayTo } from './language.ts'
import { type Mailing, queueMail } from './queue.ts'
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'
import type { Say } from '../../../runtime/texts/say.ts'

export interface Notice extends Mailing {
  readonly request: { readonly ip: string; header(name: string): string | undefined }
}

export interface Told {
  readonly to: string
  /** Address of the account whose language it is written in, where that has another one by now. */
  readonly reader?: string
  /** What happened, such as `m.password_changed()`. Its first sentence is the subject. */
  readonly what: Message
  /** As it calls itself, said in the language of the mail. */
  readonly browser: (say: Say) => string
  /** What to do if it was somebody else, instead of setting a new password. */
  readonly remedy?: (say: Say) => readonly string[]
}

export async function sendNotice(
  services: Notice,
  { to, reader, what, browser, remedy = newPassword(services.config.BASE_URL) }: Told,
): Promise<void> {
  const { db, config, now, request } = services
  const address = config.BASE_URL
  const say = await sayTo(db, to, reader)
  await queueMail(services, {
    to,
    subject: say(what).replace(/\.(\s.*)?$/s, ''),
    text: [
      say(what),
      say(m.when_when_from_ip_browser_where, {
        when: `${new Date(now).toISOString().replace('T', ' ').slice(0, 16)} UTC`,
        ip: request.ip,
        browser: browser(say),
        address,
      }),
      ...remedy(say),
    ],
  })
}

const newPassword = (address: string) => (say: Say) => [
  say(m.if_that_was_you_there_is, { forgot: `${address}/password/forgot`, account: `${address}/account` }),
]
