/** Tells somebody by mail that their account was changed, so that they learn of it where it was not them. */
import { type Mailing, queueMail } from './queue.ts'

export interface Notice extends Mailing {
  readonly request: { readonly ip: string; header(name: string): string | undefined }
}

/** @param what a sentence: `Your password was changed.` @param browser as it calls itself */
export async function sendNotice(services: Notice, { to, what, browser }: { to: string; what: string; browser: string }): Promise<void> {
  const { config, now, request } = services
  const address = config.BASE_URL
  await queueMail(services, {
    to,
    subject: what.replace(/\.$/, ''),
    text: [
      what,
      `When: ${new Date(now).toISOString().replace('T', ' ').slice(0, 16)} UTC\nFrom: ${request.ip}, ${browser}\nWhere: ${address}`,
      `If that was you, there is nothing to do. If it was not, set a new password at ${address}/password/forgot: that signs out everybody else. Then look at ${address}/account.`,
    ],
  })
}
