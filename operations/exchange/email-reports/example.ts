/** A weekly report with two recipients, one of whom has unsubscribed. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { ids } from './records.ts'
import { writeGoals, writeRecipients, writeSites } from './check-references.ts'

export const example = exampleRecords(async ({ db, now, domain, id, newId, random, use }) => {
  const row = {
    id: newId(ids.email_report),
    workspace_id: id('workspace'),
    created_by: null,
    name: 'Our week',
    frequency: 'weekly',
    hour: 9,
    segment_id: null,
    panels: JSON.stringify(['page', 'source', 'country']),
    locale: 'en',
    skip_empty: 0,
    include_imported: 1,
    enabled: 1,
    next_day: null,
    next_at: null,
    leased_until: null,
    last_sent_at: null,
    last_error: null,
    told: 0,
    created_at: now,
    updated_at: now,
  }
  await db.insertInto('email_reports').values(row).execute()
  await writeSites(db, row.id, [id('site')])
  await writeGoals(db, row.id, [id('goal')])
  const emails = [`team@${domain}`, `gone@${domain}`]
  await writeRecipients({ db, box: use(secretBox), random }, row.id, emails)
  await db
    .updateTable('email_report_recipients')
    .set({ unsubscribed_at: now })
    .where('report_id', '=', row.id)
    .where('email', '=', emails[1] ?? '')
    .execute()
  return { email_report: row.id }
})
