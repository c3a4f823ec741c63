/** The notice to the former address of an account, with a link that undoes the change. */
import { endLinks, makeLink, undoDays } from '../links/index.ts'
import { canMail, sendNotice } from '../mail/index.ts'
import { m } from './messages.ts'
import type { Say } from '../../../runtime/texts/say.ts'

type Services = Parameters<typeof makeLink>[0] & Parameters<typeof sendNotice>[0]

interface Change {
  readonly accountId: string
  readonly from: string
  readonly to: string
  /** Whether the person had proved `from`. Otherwise its holder gets no account that another person has set up. */
  readonly wasVerified: boolean
  readonly browser: (say: Say) => string
}

/**
 * Notifies the former address, with a link that undoes the change. Links for earlier addresses stay valid, because an
 * attacker changes the address twice, too. A return to one of those addresses has undone the later changes, so
 * their links end; otherwise an attacker could use them to repeat a change.
 */
export async function noticeOfChange(services: Services, { accountId, from, to, wasVerified, browser }: Change): Promise<void> {
  const isReturn = await hasReturned(services, accountId, to)
  if (!canMail(services.config)) return
  const changed = { to: from, reader: to, what: m.address_changed(), browser }
  if (isReturn || !wasVerified) return sendNotice(services, changed)
  const token = await makeLink(services, { kind: 'email_undo', accountId, email: from, isAdditional: true })
  await sendNotice(services, {
    ...changed,
    open: say => say(m.undo_the_change),
    remedy: say => [
      say(m.if_that_was_you_there_is, { days: String(undoDays) }),
      `${services.config.BASE_URL}/account/email/undo?${new URLSearchParams({ token })}`,
    ],
  })
}

/** Whether this is a former address with a valid link. Ends its link and the later ones. */
async function hasReturned({ db, now }: Services, accountId: string, email: string): Promise<boolean> {
  const former = await db
    .selectFrom('one_time_links')
    .select('created_at')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'email_undo')
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .executeTakeFirst()
  if (!former) return false
  await endLinks(db, { accountId, which: ['email_undo'] }, { since: former.created_at })
  return true
}
