import { claimDue } from '../../../runtime/lease.ts'
import { task } from '../../../runtime/task.ts'
import { linkPath, makeLink } from '../links/index.ts'
import { queueMail } from '../mail/index.ts'

const queue = { table: 'reset_requests', due: 'due_at' } as const
const MINUTE = 60_000
const AT_ONCE = 20

export const passwords_remind = task({
  name: 'passwords_remind',
  summary: 'Mails a link to who forgot their password, where somebody has the address',
  every: 5_000,
  lease: MINUTE,
  shared: true,
  queue,
  async run({ store, config, now, newId, random, use }) {
    const rows = await claimDue(store, { ...queue, limit: AT_ONCE, leaseMs: MINUTE, now: now() })
    for (const { id, email } of rows) {
      await store.transaction(async trx => {
        const making = { db: trx, now: now(), config, newId, random, use }
        const taken = await trx.deleteFrom('reset_requests').where('id', '=', id).returning('id').executeTakeFirst()
        const account = await trx.selectFrom('accounts').select(['id', 'email']).where('email', '=', email).executeTakeFirst()
        if (!taken || !account) return
        const link = await makeLink(making, { kind: 'reset', accountId: account.id })
        await queueMail(making, {
          to: account.email,
          subject: 'A new password for Footfall',
          text: [
            `Somebody asked for a new password for your account at ${config.BASE_URL}. Choose one within an hour:`,
            `${config.BASE_URL}${linkPath(link)}`,
            'If that was not you, there is nothing to do: without this link nothing changes.',
          ],
        })
      })
    }
    return { more: rows.length === AT_ONCE }
  },
})
