import { claimDue } from '../../../runtime/tasks/lease.ts'
import { task } from '../../../runtime/table/task.ts'
import { plan, sending } from './plan.ts'
import { DAY_MS, MINUTE_MS } from '../../../storage/values/durations.ts'

const reports = { table: 'email_reports', due: 'next_at' } as const
const mails = { table: 'email_report_mails', due: 'due_at' } as const
const AT_ONCE = 50
/** Covers the time until the last claimed mail has begun, which then gets its own lease. */
const LEASE_MS = 10 * MINUTE_MS
const KEPT_MS = 90 * DAY_MS

export const email_reports_plan = task({
  name: 'email_reports_plan',
  summary: 'Queues the mails of e-mail reports that are due',
  every: 30_000,
  lease: MINUTE_MS,
  shared: true,
  queue: reports,
  async run(context) {
    const due = await claimDue(context.store, { ...reports, limit: AT_ONCE, leaseMs: MINUTE_MS, now: context.now() })
    for (const report of due) await plan(context, report)
    return { more: due.length > 0 } // a late report may have several periods to catch up with
  },
})

export const email_reports_send = task({
  name: sending,
  summary: 'Sends the queued mails of e-mail reports',
  every: 10_000,
  lease: MINUTE_MS,
  shared: true,
  queue: mails,
  async run(context) {
    const due = await claimDue(context.store, { ...mails, limit: AT_ONCE, leaseMs: LEASE_MS, now: context.now() })
    if (due.length > 0) await (await import('./deliver.ts')).deliver(context, due)
    return { more: due.length === AT_ONCE }
  },
})

export const email_reports_forget = task({
  name: 'email_reports_forget',
  summary: 'Deletes the records of sent e-mail reports after 90 days',
  every: DAY_MS,
  lease: 10 * MINUTE_MS,
  async run({ store, now }) {
    await store.write
      .deleteFrom('email_report_mails')
      .where('created_at', '<', now() - KEPT_MS)
      .execute()
  },
})
