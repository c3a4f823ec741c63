import { claimDue } from '../../../runtime/tasks/lease.ts'
import { task } from '../../../runtime/table/task.ts'
import { findAccount } from '../account/index.ts'
import { linkPath, makeLink } from '../links/index.ts'
import { queueMail, sayTo } from '../mail/index.ts'
import { m } from './messages.ts'
import { MINUTE_MS } from '../../../storage/values/durations.ts'

const queue = { table: 'reset_requests', due: 'due_at' } as const
const AT_ONCE = 20

export const passwords_remind = task({
  name: 'passwords_remind',
  summary: 'Mails a link for a new password, if an account has the address',
  every: 5_000,
  lease: MINUTE_MS,
  shared: true,
  queue,
  async run({ store, config, now, newId, random, use }) {
    const rows = await claimDue(store, { ...queue, limit: AT_ONCE, leaseMs: MINUTE_MS, now: now() })
    for (const { id, email } of rows) {
      await store.transaction(async trx => {
        const services = { db: trx, now: now(), config, newId, random, use }
        const taken = await trx.deleteFrom('reset_requests').where('id', '=', id).returning('id').executeTakeFirst()
        const account = await findAccount(trx, email)
        if (!taken || !account) return
        const link = await makeLink(services, { kind: 'reset', accountId: account.id, email: account.email })
        const say = await sayTo(trx, account.email)
        await queueMail(services, {
          to: account.email,
          say,
          subject: say(m.a_new_password_for_footfall),
          open: say(m.choose_a_new_password),
          text: [
            say(m.new_password_requested, {
              address: config.BASE_URL,
            }),
            `${config.BASE_URL}${linkPath(link)}`,
            say(m.if_that_was_not_you_there),
          ],
        })
      })
    }
    return { more: rows.length === AT_ONCE }
  },
})
