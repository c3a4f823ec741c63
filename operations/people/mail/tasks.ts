import { claimDue, holds } from '../../../runtime/tasks/lease.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { task, type TaskContext } from '../../../runtime/table/task.ts'
import type { MailRow } from '../../../storage/tables/factors.ts'
import { common } from '../../../runtime/texts/common.ts'
import { sayIn } from '../../../runtime/texts/say.ts'
import { mailer, SENDING_MS } from './mailer.ts'
import type { SealedMail } from './queue.ts'
import { MINUTE_MS } from '../../../storage/values/durations.ts'

const queue = { table: 'mails', due: 'due_at' } as const
/** Pauses between failed attempts, ms. Then the mail is given up: a link to a new password is useless a day later. */
const PAUSES = [MINUTE_MS / 2, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS]
const AT_ONCE = 10

export const mails_send = task({
  name: 'mails_send',
  summary: 'Sends mails to people: links, invitations, notices about their account',
  every: 5_000,
  lease: MINUTE_MS,
  shared: true,
  queue,
  async run(context) {
    const rows = await claimDue(context.store, { ...queue, limit: AT_ONCE, leaseMs: 2 * MINUTE_MS, now: context.now() })
    await Promise.all(rows.map(row => attempt(row, context)))
    return { more: rows.length === AT_ONCE }
  },
})

async function attempt(row: MailRow, { store, use, now, log, config }: TaskContext): Promise<void> {
  const server = use(mailer)
  const opened = await use(secretBox).unseal(store.read, row.sealed, row.id)
  if (!holds(row, now(), SENDING_MS)) return
  const failed = server === null || opened === null ? new Error('it can no longer be decrypted or sent') : await sent()
  async function sent(): Promise<unknown> {
    try {
      const { subject, text, locale = 'en', open } = JSON.parse(opened ?? '') as SealedMail // sealed by queueMail
      const { hostname, origin } = new URL(config.BASE_URL)
      const { letterHtml } = await import('./components.tsx')
      const say = await sayIn(locale)
      await server?.send({
        to: row.recipient,
        subject,
        text,
        html: await letterHtml({
          from: 'Footfall',
          subject,
          locale,
          text: text.trimEnd().split('\n\n'),
          origin,
          open: open ?? say(common.open),
        }),
        messageId: `<${row.id}@${hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834 §5
      })
      return undefined
    } catch (thrown) {
      return thrown
    }
  }
  const pause = PAUSES[row.attempt]
  const deleteMail = store.write.deleteFrom('mails').where('id', '=', row.id).where('leased_until', '=', row.leased_until)
  if (failed === undefined) return void (await deleteMail.execute())
  if (!holds(row, now(), 0)) return // the process was stopped, so the mail server is not at fault
  // The log gets neither the address nor the server's text, which may repeat it.
  const code = failed instanceof Error && 'responseCode' in failed ? failed.responseCode : undefined
  log.warn(
    { mail: row.id, attempt: row.attempt + 1, code },
    pause === undefined || opened === null ? 'a mail was given up' : 'a mail could not be sent',
  )
  if (pause === undefined || opened === null || server === null) return void (await deleteMail.execute())
  await store.write
    .updateTable('mails')
    .set({ attempt: row.attempt + 1, due_at: now() + pause, leased_until: null })
    .where('id', '=', row.id)
    .where('leased_until', '=', row.leased_until)
    .execute()
}
