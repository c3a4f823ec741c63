/** Plans due reports: queues one mail for each recipient, and plans the next period. */
import { m } from './messages.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'
import type { Trx } from '../../../storage/store.ts'
import type { EmailReportRow } from '../../../storage/tables/email-reports.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { canMail, type Mailing, MAX_REFUSALS } from '../../people/mail/index.ts'
import { type FullReport, ids, withLinks } from './records.ts'
import { dueAt, nextPeriod, type Period, plannedPeriod } from './schedule.ts'
import { scheduleOf } from './schedule-of-report.ts'
import { sitesOf } from './check-references.ts'
import { noteTrouble } from './failure-notice.ts'

/** A report that is later than this is skipped. */
export const LATEST_MS = 48 * HOUR_MS
export const sending = 'email_reports_send'

/** Plans the report in a transaction, unless another worker has it. */
export function plan(context: TaskContext, claimed: EmailReportRow): Promise<void> {
  return context.store.transaction(async trx => {
    const now = context.now()
    const leased = await trx
      .updateTable('email_reports')
      .set({ leased_until: null })
      .where('id', '=', claimed.id)
      .where('leased_until', '=', claimed.leased_until)
      .returningAll()
      .executeTakeFirst()
    const [report] = leased ? await withLinks(trx, [leased]) : []
    if (!report || report.next_day === null) return
    const mailing: Mailing = { ...context, db: trx, now }
    const sites = await sitesOf(trx, report.site_ids)
    if (sites.length === 0) {
      await trx.updateTable('email_reports').set({ next_day: null, next_at: null }).where('id', '=', report.id).execute()
      return noteTrouble(mailing, { reportId: report.id, why: m.no_sites() })
    }
    const schedule = scheduleOf(report, sites)
    const period = plannedPeriod(schedule, report.next_day)
    const due = dueAt(schedule, period)
    // A site may have moved to another time zone in the meantime.
    const next = due > now ? period : nextPeriod(schedule, period)
    await trx
      .updateTable('email_reports')
      .set({ next_day: next.from, next_at: dueAt(schedule, next) })
      .where('id', '=', report.id)
      .execute()
    if (due <= now) await queue(mailing, { trx, report, period, due })
  })
}

interface Queue {
  readonly trx: Trx
  readonly report: FullReport
  readonly period: Period
  readonly due: number
}

async function queue(mailing: Mailing, { trx, report, period, due }: Queue): Promise<void> {
  const { now, config, newId } = mailing
  if (!canMail(config)) return
  if (now > due + LATEST_MS) {
    const days = m.period({ from: dateOf(period.from), to: dateOf(period.to) })
    return noteTrouble(mailing, { reportId: report.id, why: m.report_skipped({ period: days }) })
  }
  const recipients = report.recipients.filter(({ unsubscribed_at, refused }) => unsubscribed_at === null && refused < MAX_REFUSALS)
  if (recipients.length === 0) return noteTrouble(mailing, { reportId: report.id, why: m.no_recipients() })
  await trx
    .updateTable('email_reports')
    .set({ last_error: null, told: report.last_error === null ? 0 : report.told })
    .where('id', '=', report.id)
    .execute()
  const rows = recipients.map(({ email }) => ({
    id: newId(ids.email_report_mail),
    report_id: report.id,
    email,
    from_day: period.from,
    to_day: period.to,
    status: 'pending' as const,
    attempt: 0,
    due_at: now,
    leased_until: null,
    expires_at: due + LATEST_MS,
    created_at: now,
  }))
  await trx
    .insertInto('email_report_mails')
    .values(rows)
    .onConflict(conflict => conflict.columns(['report_id', 'from_day', 'to_day', 'email']).doNothing())
    .execute()
  wakeAfter(trx, sending)
}
