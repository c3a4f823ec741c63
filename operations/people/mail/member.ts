/** A mail to a member about something of theirs that ended while they did something else: a file is ready, a report failed. */
import { type Mail, type Mailing, queueMail } from './queue.ts'
import { type Say, sayIn } from '../../../runtime/texts/say.ts'

export interface MemberMail {
  /** What it says, in the language of who gets it. */
  readonly write: (say: Say) => Pick<Mail, 'subject' | 'text'>
  /** Null where nobody is known to have made it. */
  readonly accountId: string | null
  /** Nobody is told of a workspace that they are no longer an active member of. */
  readonly workspaceId: string
}

/** Queued unless they want no mails of the product (`product_emails`). */
export async function mailMember(mailing: Mailing, { accountId, workspaceId, write }: MemberMail): Promise<void> {
  if (accountId === null) return
  const account = await mailing.db
    .selectFrom('accounts as a')
    .innerJoin('members as m', 'm.account_id', 'a.id')
    .select(['a.email', 'a.locale'])
    .where('a.id', '=', accountId)
    .where('a.product_emails', '=', 1)
    .where('m.workspace_id', '=', workspaceId)
    .where('m.active', '=', 1)
    .executeTakeFirst()
  if (account) await queueMail(mailing, { to: account.email, ...write(await sayIn(account.locale)) })
}
