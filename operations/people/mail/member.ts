/** A mail to a member about background work of theirs that has ended: for example a file is ready, or a report failed. */
import { type Mail, type Mailing, queueMail } from './queue.ts'
import { type Say, sayIn } from '../../../runtime/texts/say.ts'

export interface MemberMail {
  /** Writes the mail in the language of its recipient. */
  readonly write: (say: Say) => Pick<Mail, 'subject' | 'text'>
  /** Null if the member who started the work is unknown. */
  readonly accountId: string | null
  /** The workspace. Only its active members receive the mail. */
  readonly workspaceId: string
}

/** Queues the mail, unless the member has turned product mails off (`product_emails`). */
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
  if (!account) return
  const say = await sayIn(account.locale)
  await queueMail(mailing, { to: account.email, say, ...write(say) })
}
