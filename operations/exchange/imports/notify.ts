/** Notifies the creator of an import that it has ended. */
import type { Sentence } from '../../../runtime/texts/message.ts'
import { type Mailing, mailMember } from '../../people/mail/index.ts'
import type { ImportRow } from '../../../storage/tables/index.ts'
import { m } from './messages.ts'
import { workspaceKind } from './workspace/records.ts'

/** Runs in the transaction that ends it. @param outcome a sentence */
export async function notifyCreator(
  mailing: Mailing,
  row: ImportRow,
  { isDone, outcome }: { isDone: boolean; outcome: Sentence },
): Promise<void> {
  if (row.kind === workspaceKind) {
    const into = await mailing.db.selectFrom('workspaces').select('name').where('id', '=', row.workspace_id).executeTakeFirst()
    const subject = isDone ? m.workspace_import_done : m.workspace_import_failed
    const page = `${mailing.config.BASE_URL}/workspaces/${row.workspace_id}/imports/${row.id}`
    await mailMember(mailing, {
      accountId: row.created_by,
      workspaceId: row.workspace_id,
      write: say => ({ subject: say(subject, { workspace: into?.name ?? '' }), text: [say(outcome), `${row.filename}: ${page}`] }),
    })
    return
  }
  const site = await mailing.db.selectFrom('sites').select('name').where('id', '=', row.site_id).executeTakeFirst()
  if (!site) return
  await mailMember(mailing, {
    accountId: row.created_by,
    workspaceId: row.workspace_id,
    write: say => ({
      subject: say(
        row.dry_run === 1
          ? isDone
            ? m.the_check_of_an_import_into
            : m.the_check_of_an_import_into_2
          : isDone
            ? m.the_import_into_site_is_done
            : m.the_import_into_site_failed,
        { site: site.name },
      ),
      text: [say(outcome), `${row.filename}: ${mailing.config.BASE_URL}/sites/${row.site_id}/imports/${row.id}`],
    }),
  })
}
