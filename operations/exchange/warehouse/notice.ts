/** Mails the creator of a sync that it fails. */
import type { Sentence } from '../../../runtime/texts/message.ts'
import type { WarehouseSyncRow } from '../../../storage/tables/warehouse.ts'
import { type Mailing, queueMail } from '../../people/mail/index.ts'
import { m } from './messages.ts'
import { sayIn } from '../../../runtime/texts/say.ts'

interface MailCreator {
  readonly sync: WarehouseSyncRow
  readonly status: 'active' | 'failing' | 'paused'
  readonly error: Sentence
}

/** @param status the new status of the sync */
export async function mailCreator(mailing: Mailing, { sync, status, error }: MailCreator): Promise<void> {
  if (status === 'active') return
  const creator = await mailing.db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['accounts.email', 'accounts.locale'])
    .where('members.workspace_id', '=', sync.workspace_id)
    .where('members.account_id', '=', sync.created_by)
    .where('members.active', '=', 1)
    .executeTakeFirst()
  if (!creator) return
  const page = `${mailing.config.BASE_URL}/workspaces/${sync.workspace_id}/warehouse_syncs/${sync.id}`
  const say = await sayIn(creator.locale)
  const { name } = sync
  await queueMail(mailing, {
    to: creator.email,
    say,
    subject: say(status === 'paused' ? m.the_warehouse_sync_name_is_paused : m.the_warehouse_sync_name_fails, { name }),
    text: [
      say(status === 'paused' ? m.the_warehouse_sync_name_has_failed : m.the_warehouse_sync_name_has_failed_2, { name }),
      say(m.the_last_error_error, { error }),
      page,
    ],
  })
}
