/** Notifies the creator of an export that it has ended. The mail links to its page, because mails are forwarded and the file needs no token. */
import { dayTerm, type Message, valueTerm } from '../../../runtime/texts/message.ts'
import { type Mailing, mailMember } from '../../people/mail/index.ts'
import type { ExportRow } from '../../../storage/tables/index.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { workspaceKind } from './export-files.ts'
import { m } from './messages.ts'

/** Runs in the transaction that ends it. @param outcome a sentence */
export async function notifyCreator(mailing: Mailing, row: ExportRow, { isReady, outcome }: { isReady: boolean; outcome: Message }) {
  const isWhole = row.kind === workspaceKind
  const [owner, place] = isWhole ? (['workspaces', row.workspace_id] as const) : (['sites', row.site_id] as const)
  const named = await mailing.db.selectFrom(owner).select('name').where('id', '=', place).executeTakeFirst()
  if (!named) return
  const page = `${mailing.config.BASE_URL}/${owner}/${place}/exports/${row.id}`
  await mailMember(mailing, {
    accountId: row.created_by,
    workspaceId: row.workspace_id,
    write: say => ({
      subject: say(isReady ? m.the_export_of_site_is_ready : m.the_export_of_site_failed, { site: named.name }),
      text: [
        isWhole
          ? say(outcome)
          : `${say(outcome)} ${say(m.it_belongs_to_kind_from_to, { kind: say(valueTerm(row.kind)), from: dayTerm(dateOf(row.from_day)), to: dayTerm(dateOf(row.to_day)) })}`,
        page,
      ],
    }),
  })
}
