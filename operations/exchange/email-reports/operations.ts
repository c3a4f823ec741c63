import { m } from './messages.ts'
import { Type } from '@sinclair/typebox'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { isPlausibleId } from '../../../runtime/values/ids.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import type { Reach } from '../../../runtime/table/access.ts'
import { Clearable, flag, OneOf, optional } from '../../../runtime/table/schema.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import type { Db } from '../../../storage/store.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { EmailReport, emailReport, fields, type FullReport, ids, limits, panelsOf, segmentId, toEmailReport, withLinks } from './records.ts'
import { dueAt, type Schedule, upcoming } from './schedule.ts'
import { distinct, faultsIn, sitesOf, writeGoals, writeRecipients, writeSites } from './check-references.ts'
import { scheduleOf } from './schedule-of-report.ts'
import { languages, wordsOf } from '../../../runtime/texts/reader.ts'

const ofReport = { workspace_id: '{{workspace}}', id: '{{email_report}}' }

/** A caller who reads or changes a report must see all of its sites, because its mails cover them. */
export const reachOf = ({ site_ids }: FullReport): Reach => (site_ids.length === 0 ? 'workspace' : site_ids)

const nextMail = (schedule: Schedule, now: number) => {
  const period = upcoming(schedule, now)
  return { next_day: period.from, next_at: dueAt(schedule, period) }
}
const noNextMail = { next_day: null, next_at: null } as const

export const email_reports_list = list({
  route: 'GET /workspaces/{workspace_id}/email_reports',
  summary: 'List e-mail reports',
  empty: {
    says: 'An e-mail report sends the figures every day, week or month, also to people without an account.',
    like: [
      ['team@example.com', 'Mon 9:00'],
      ['boss@example.com', '1st'],
    ],
  },
  title: 'E-mail reports',
  place: 'sharing',
  description: 'Oldest first. A token restricted to sites sees only reports that cover no other sites.',
  access: 'analytics.read',
  on: workspace,
  effect: 'read',
  input: {},
  of: EmailReport,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, caller, page, config }) {
    let all = db.selectFrom('email_reports as r').selectAll('r').where('r.workspace_id', '=', workspace.id)
    if (caller.siteIds.length > 0) {
      all = all.where(({ selectFrom, and, exists, not }) => {
        const own = selectFrom('email_report_sites as l')
          .innerJoin('sites as s', 's.id', 'l.site_id')
          .select('l.site_id')
          .where('s.deleted_at', 'is', null)
          .whereRef('l.report_id', '=', 'r.id')
        return and([exists(own), not(exists(own.where('l.site_id', 'not in', caller.siteIds)))])
      })
    }
    const { rows, total } = await pageOf(all.orderBy('r.created_at').orderBy('r.id'), page)
    return { rows: (await withLinks(db, rows)).map(row => toEmailReport(row, config)), total }
  },
})

export const email_reports_get = operation({
  route: 'GET /workspaces/{workspace_id}/email_reports/{id}',
  summary: 'Get an e-mail report',
  access: 'analytics.read',
  reach: ({ email_report }) => reachOf(email_report),
  on: [workspace, emailReport],
  effect: 'read',
  input: {},
  output: EmailReport,
  examples: [{ input: ofReport }],
  run: ({ email_report, config }) => toEmailReport(email_report, config),
})

export const email_reports_create = operation({
  route: 'POST /workspaces/{workspace_id}/email_reports',
  summary: 'Mail a report every day, week or month',
  label: 'Create an e-mail report',
  description:
    'Covers whole days, weeks or months of the site, compared with the previous ones. Recipients need no account. If nothing can be sent, `last_error` has the reason.',
  help: 'Covers whole days, weeks or months of the site, compared with the previous ones. Recipients need no account.',
  access: 'content.write',
  needs: ['analytics.read'],
  on: locked(workspace),
  effect: 'create',
  contacts: true,
  input: {
    name: fields.name,
    site_ids: fields.site_ids,
    frequency: OneOf(fields.frequency.enum, { ...fields.frequency, default: 'weekly' }),
    hour: Type.Integer({ ...fields.hour, default: 9 }),
    recipients: fields.recipients,
    segment_id: optional(segmentId),
    panels: Type.Array(fields.panels.items, { ...fields.panels, default: ['page', 'source', 'country', 'device'] }),
    goal_ids: Type.Array(fields.goal_ids.items, { ...fields.goal_ids, default: [] }),
    locale: optional(
      OneOf(languages, { ...fields.locale, description: `${fields.locale.description} Defaults to the language of the account.` }),
    ),
    skip_empty: Type.Boolean({ ...fields.skip_empty, default: false }),
    include_imported: Type.Boolean({ ...fields.include_imported, default: true }),
    enabled: Type.Boolean({ ...fields.enabled, default: true }),
  },
  output: EmailReport,
  examples: [
    {
      summary: 'Every Monday',
      input: { workspace_id: '{{workspace}}', name: 'Our week', site_ids: ['{{site}}'], recipients: ['team@example.com'] },
    },
    {
      summary: 'A month in German, with goals',
      input: {
        workspace_id: '{{workspace}}',
        name: 'Monat',
        site_ids: ['{{site}}'],
        frequency: 'monthly',
        hour: 7,
        recipients: ['kunde@example.com'],
        panels: ['page', 'channel'],
        goal_ids: ['{{goal}}'],
        locale: 'de',
        skip_empty: true,
      },
    },
  ],
  async run({ db, workspace, caller, input, now, newId, random, use, config }) {
    const named = { site_ids: input.site_ids, goal_ids: input.goal_ids, segment_id: input.segment_id ?? null }
    failWith(await faultsIn(db, { caller, named }))
    const count = await countOf(db.selectFrom('email_reports').where('workspace_id', '=', workspace.id))
    if (count >= limits.reports) fail('limit_reached', m.too_many_reports({ most: limits.reports }))
    const { accountId } = caller.member
    const sites = await sitesOf(db, distinct(input.site_ids))
    const row = {
      id: newId(ids.email_report),
      workspace_id: workspace.id,
      created_by: accountId,
      name: input.name,
      frequency: input.frequency,
      hour: input.hour,
      segment_id: named.segment_id,
      panels: JSON.stringify(distinct(input.panels)),
      locale: input.locale ?? (await accountLocale(db, accountId)),
      skip_empty: Number(input.skip_empty),
      include_imported: Number(input.include_imported),
      enabled: Number(input.enabled),
      ...(input.enabled ? nextMail({ frequency: input.frequency, hour: input.hour, sites }, now) : noNextMail),
      leased_until: null,
      last_sent_at: null,
      last_error: null,
      told: 0,
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('email_reports').values(row).execute()
    await writeSites(db, row.id, input.site_ids)
    await writeGoals(db, row.id, input.goal_ids)
    await writeRecipients({ db, box: use(secretBox), random }, row.id, input.recipients)
    return toEmailReport((await withLinks(db, [row]))[0] ?? fail('not_found'), config)
  },
})

export const email_reports_update = operation({
  route: 'PATCH /workspaces/{workspace_id}/email_reports/{id}',
  summary: 'Change an e-mail report',
  description: 'Omitted fields stay unchanged. A list replaces the stored list. Unsubscribed addresses stay unsubscribed.',
  help: 'Unsubscribed addresses stay unsubscribed.',
  access: 'content.write',
  needs: ['analytics.read'],
  reach: ({ email_report }) => reachOf(email_report),
  on: [workspace, locked(emailReport)],
  effect: 'update',
  contacts: true,
  input: {
    name: optional(fields.name),
    site_ids: optional(fields.site_ids),
    frequency: optional(fields.frequency),
    hour: optional(fields.hour),
    recipients: optional(fields.recipients),
    segment_id: optional(Clearable(segmentId, { description: `${segmentId.description} Empty: none.` })),
    panels: optional(fields.panels),
    goal_ids: optional(fields.goal_ids),
    locale: optional(fields.locale),
    skip_empty: optional(fields.skip_empty),
    include_imported: optional(fields.include_imported),
    enabled: optional(fields.enabled),
  },
  output: EmailReport,
  examples: [
    { input: { ...ofReport, hour: 7, recipients: ['team@example.com', 'ada@example.com'] } },
    { summary: 'Stop sending it', input: { ...ofReport, enabled: false } },
  ],
  async run({ db, email_report: before, caller, input, now, random, use, config }) {
    const named = {
      site_ids: input.site_ids ?? before.site_ids,
      // Goals of a removed site are removed with it, unless the input names them.
      goal_ids: input.goal_ids ?? (input.site_ids ? await goalsOf(db, before.goal_ids, input.site_ids) : before.goal_ids),
      segment_id: input.segment_id === undefined ? before.segment_id : input.segment_id || null,
    }
    const hasReferences = [input.site_ids, input.goal_ids, input.segment_id].some(each => each !== undefined)
    if (hasReferences) failWith(await faultsIn(db, { caller, named, before }))
    const changed = {
      name: input.name ?? before.name,
      frequency: input.frequency ?? before.frequency,
      hour: input.hour ?? before.hour,
      segment_id: named.segment_id,
      panels: JSON.stringify(input.panels ? distinct(input.panels) : panelsOf(before)),
      locale: input.locale ?? before.locale,
      skip_empty: flag(input.skip_empty) ?? before.skip_empty,
      include_imported: flag(input.include_imported) ?? before.include_imported,
      enabled: flag(input.enabled) ?? before.enabled,
    }
    const sites = await sitesOf(db, distinct(named.site_ids))
    const isRescheduled = [input.site_ids, input.frequency, input.hour, input.enabled].some(each => each !== undefined)
    const isSent = changed.enabled === 1 && sites.length > 0
    await db
      .updateTable('email_reports')
      .set({
        ...changed,
        ...(isRescheduled && (isSent ? nextMail(scheduleOf(changed, sites), now) : noNextMail)),
        ...(hasReferences || isRescheduled || input.recipients ? { last_error: null, told: 0 } : {}),
        updated_at: now,
      })
      .where('id', '=', before.id)
      .execute()
    if (input.site_ids) await writeSites(db, before.id, named.site_ids)
    if (hasReferences) await writeGoals(db, before.id, named.goal_ids)
    if (input.recipients) await writeRecipients({ db, box: use(secretBox), random }, before.id, input.recipients)
    return toEmailReport((await emailReport.lock?.(db, before.id)) ?? fail('not_found'), config)
  },
})

export const email_reports_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/email_reports/{id}',
  summary: 'Delete an e-mail report',
  description: 'Queued mails are not sent.',
  access: 'content.write',
  reach: ({ email_report }) => reachOf(email_report),
  on: [workspace, emailReport],
  effect: 'delete',
  input: {},
  output: EmailReport,
  examples: [{ input: ofReport }],
  async run({ db, email_report, config }) {
    const deleted = await db.deleteFrom('email_reports').where('id', '=', email_report.id).returning('id').executeTakeFirst()
    if (!deleted) fail('not_found')
    return toEmailReport(email_report, config)
  },
})

async function accountLocale(db: Db, accountId: string) {
  const account = await db.selectFrom('accounts').select('locale').where('id', '=', accountId).executeTakeFirst()
  return wordsOf(account?.locale ?? '')
}

async function goalsOf(db: Db, goalIds: readonly string[], siteIds: readonly string[]): Promise<string[]> {
  const sites = siteIds.filter(isPlausibleId)
  if (goalIds.length === 0 || sites.length === 0) return []
  const kept = await db
    .selectFrom('goals')
    .select('id')
    .where('id', 'in', [...goalIds])
    .where('site_id', 'in', sites)
    .execute()
  return goalIds.filter(id => kept.some(row => row.id === id))
}
