/**
 * Records that a report was not sent, or not to all recipients, and mails its creator. One mail is sent until a period succeeds.
 */
import { clipped } from '../../../runtime/values/clip.ts'
import { type Sentence, storedSentence } from '../../../runtime/texts/message.ts'
import { type Mailing, mailMember, SlowServer } from '../../people/mail/index.ts'
import { m } from './messages.ts'

const MAX_CHARACTERS = 500

/** Runs in a transaction. @param isFinal false while the mail is retried, which the creator need not know */
export async function noteTrouble(
  mailing: Mailing,
  { reportId, why, isFinal = true }: { reportId: string; why: Sentence; isFinal?: boolean | undefined },
): Promise<void> {
  const { db, config } = mailing
  const last_error = storedSentence(typeof why === 'string' ? clipped(why, MAX_CHARACTERS) : why)
  const before = await db
    .selectFrom('email_reports')
    .select(['workspace_id', 'created_by', 'name', 'told'])
    .where('id', '=', reportId)
    .executeTakeFirst()
  if (!before) return
  const notifies = isFinal && before.told === 0
  await db
    .updateTable('email_reports')
    .set({ last_error, ...(notifies && { told: 1 }) })
    .where('id', '=', reportId)
    .execute()
  if (!notifies) return
  await mailMember(mailing, {
    accountId: before.created_by,
    workspaceId: before.workspace_id,
    write: say => ({
      subject: say(m.the_e_mail_report_name_has, { name: before.name }),
      text: [
        say(why),
        say(m.look_at_it_here_address, { address: `${config.BASE_URL}/workspaces/${before.workspace_id}/email_reports/${reportId}` }),
      ],
    }),
  })
}

/** The mail server's response. Connection errors are only for the operator, because the message contains the address. */
export function saidBy(thrown: unknown): Sentence {
  const response: unknown = thrown instanceof Error && 'response' in thrown ? thrown.response : undefined
  if (typeof response === 'string' && response !== '') return clipped(response, MAX_CHARACTERS)
  return thrown instanceof SlowServer ? thrown.message : m.not_reached()
}
