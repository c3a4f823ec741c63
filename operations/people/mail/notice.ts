/** Notifies a person by mail that their account was changed, so that they notice a change by an attacker. */
import { sayTo } from './language.ts'
import { type Mailing, queueMail } from './queue.ts'
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'
import type { Say } from '../../../runtime/texts/say.ts'

export interface Notice extends Mailing {
  readonly request: { readonly ip: string; header(name: string): string | undefined }
}

export interface NoticeContent {
  readonly to: string
  /** Address of the account whose language the mail uses, if that account has a different address by now. */
  readonly reader?: string
  /** The event, for example `m.password_changed()`. The first sentence becomes the subject. */
  readonly what: Message
  /** The name of the browser, in the language of the mail. */
  readonly browser: (say: Say) => string
  /** Steps to take if the change was not theirs. Defaults to setting a new password. */
  readonly remedy?: (say: Say) => readonly string[]
  /** Label of the button, if the steps have a link. */
  readonly open?: (say: Say) => string
}

export async function sendNotice(
  services: Notice,
  { to, reader, what, browser, remedy = newPassword(services.config.BASE_URL), open }: NoticeContent,
): Promise<void> {
  const { db, config, now, request } = services
  const address = config.BASE_URL
  const say = await sayTo(db, to, reader)
  await queueMail(services, {
    to,
    say,
    ...(open && { open: open(say) }),
    subject: say(what).replace(/\.(\s.*)?$/s, ''),
    text: [
      say(what),
      say(m.when_from_and_where, {
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
