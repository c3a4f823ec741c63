import { m } from './messages.ts'
import { valueTerm } from '../../../runtime/texts/message.ts'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { lacks } from '../../../runtime/table/caller.ts'
import { deleteFor, restoring } from '../../../runtime/table/restoring.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { Type } from '@sinclair/typebox'
import { brief, flag, OneOf } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { site } from '../../sites/sites/records.ts'
import type { UptimeCheckRow } from '../../../storage/tables/index.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { availabilityOf } from '../../reports/availability/index.ts'
import { CheckAvailability, targetName, toCheck, UptimeCheck } from '../../reports/availability/records.ts'
import { makeCheck, nothingKnown, ownName, pageOfChecks, startAgain, watchAgain } from './checks.ts'
import { followDomain } from './domains/refresh.ts'
import { createFields, filters, updateFields } from './fields.ts'
import { intervalIn } from './interval.ts'
import { beginPeriod } from './periods.ts'
import { check, toIncident, UptimeCheckDetail } from './records.ts'
import { rangeNames, responseTimes } from './response-times.ts'
import { aimsElsewhere, registrableDomain, resolveTarget } from './target.ts'

const ofEachKind = [
  { summary: 'A page', input: { url: 'https://example.com/' } },
  {
    summary: 'Text in a page',
    input: { name: 'Shop', kind: 'keyword', url: 'https://shop.example.com/', keyword: 'Basket', interval_seconds: 60 },
  },
  { summary: 'A port', input: { kind: 'tcp', host: 'mail.example.com', port: 25, timeout_seconds: 5 } },
  { summary: 'A name', input: { kind: 'dns', host: 'example.com' } },
]

export const uptime_checks_create = operation({
  route: 'POST /sites/{site_id}/uptime',
  summary: 'Create an uptime check: monitor whether a site is up',
  description:
    'Requests a page (http), searches a page for a text (keyword), connects to a port (tcp) or resolves a name (dns), at ' +
    'once and then every few minutes. A field that its kind does not use is refused.',
  help: 'Requests a page (HTTP), searches a page for a text (keyword), connects to a port (TCP) or resolves a name (DNS), at once and then every few minutes.',
  access: 'uptime.manage',
  denies: ({ caller, input }) => (input.public ? lacks(caller, ['analytics.read']) : undefined),
  on: site,
  effect: 'create',
  contacts: true,
  input: createFields,
  output: UptimeCheck,
  examples: ofEachKind.map(({ summary, input }) => ({ summary, input: { site_id: '{{site}}', ...input } })),
  run: ({ site, input, ...services }) => makeCheck(services, { workspace_id: site.workspace_id, site_id: site.id }, input),
})

export const uptime_checks_list = list({
  route: 'GET /sites/{site_id}/uptime',
  summary: 'Is the site up? Its uptime checks',
  empty: {
    says: 'A check opens an address every few minutes, and tells you when it does not answer.',
    like: [
      ['https://www.example.com', '99.98 %'],
      ['https://api.example.com/health', '100 %'],
    ],
  },
  title: 'Uptime',
  place: 'watching',
  icon: 'uptime',
  description:
    'State, availability over 24 hours, 7 and 30 days, last response time, and expiry of certificate and domain. Oldest first. For the outages of a check, use `uptime_checks_get`.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: filters,
  of: CheckAvailability,
  examples: [{ input: { site_id: '{{site}}' } }, { summary: 'Checks that are down', input: { site_id: '{{site}}', status: 'down' } }],
  run: ({ db, site, input, page, now }) =>
    pageOfChecks(db, { wanted: { ...input, workspaceId: site.workspace_id, siteIds: [site.id] }, page, now }),
})

export const workspace_uptime_checks_create = operation({
  route: 'POST /workspaces/{workspace_id}/uptime',
  summary: 'Create an uptime check that belongs to no site',
  description:
    'Like `uptime_checks_create`, for a mail server or another service. Tokens restricted to sites can neither create nor see such checks.',
  help: 'For a mail server or another service. Create a check that belongs to a site on that site.',
  access: 'uptime.manage',
  denies: ({ caller, input }) => (input.public ? lacks(caller, ['analytics.read']) : undefined),
  reach: 'workspace',
  on: workspace,
  effect: 'create',
  contacts: true,
  input: createFields,
  output: UptimeCheck,
  examples: [
    {
      input: { workspace_id: '{{workspace}}', name: 'Mail', kind: 'tcp', host: 'mail.example.com', port: 25 },
    },
  ],
  run: ({ workspace, input, ...services }) => makeCheck(services, { workspace_id: workspace.id, site_id: null }, input),
})

export const workspace_uptime_checks_list = list({
  route: 'GET /workspaces/{workspace_id}/uptime',
  summary: 'List all uptime checks: what is up, what is down',
  empty: {
    says: 'A check opens an address of a site every few minutes, and tells you when it does not answer.',
    like: [
      ['https://www.example.com', '99.98 %'],
      ['https://api.example.com/health', '100 %'],
    ],
  },
  title: 'Uptime',
  place: 'watching',
  icon: 'uptime',
  description:
    'All checks of the workspace and its sites, with state and availability, oldest first. A token restricted to sites sees ' +
    'only the checks of those sites.',
  access: 'analytics.read',
  on: workspace,
  effect: 'read',
  input: filters,
  of: CheckAvailability,
  examples: [
    { input: { workspace_id: '{{workspace}}' } },
    { summary: 'By target', input: { workspace_id: '{{workspace}}', query: 'example.com' } },
  ],
  run: ({ db, workspace, caller, input, page, now }) =>
    pageOfChecks(db, { wanted: { ...input, workspaceId: workspace.id, siteIds: caller.siteIds }, page, now }),
})

export const uptime_checks_get = operation({
  route: 'GET /uptime/checks/{id}',
  summary: 'Get an uptime check: availability, response times, outages',
  description: 'Response times by location over `range`, and the latest 50 incidents with their causes.',
  access: 'analytics.read',
  on: check,
  effect: 'read',
  input: {
    range: OneOf(rangeNames, {
      default: '24h',
      description: 'Range of the response times: 10-minute, hourly or 6-hourly averages.',
    }),
    series: Type.Boolean({
      default: true,
      description: 'With `false`, the answer omits `response_times` and is shorter.',
      [brief]: { description: 'false: short.', default: undefined },
    }),
  },
  output: UptimeCheckDetail,
  examples: [
    { input: { id: '{{check}}' } },
    { summary: 'Over a month', input: { id: '{{check}}', range: '30d' } },
    { summary: 'Without response times', input: { id: '{{check}}', series: false } },
  ],
  async run({ db, check, input, now }) {
    const incidents = await db
      .selectFrom('uptime_incidents')
      .selectAll()
      .where('check_number', '=', check.number)
      .orderBy('started_at', 'desc')
      .limit(50)
      .execute()
    return {
      ...toCheck(check),
      uptime: await availabilityOf(db, check, now),
      range: input.range,
      ...(input.series && { response_times: await responseTimes(db, { checkNumber: check.number, range: input.range, now }) }),
      incidents: incidents.map(incident => toIncident(incident, now)),
    }
  },
})

export const uptime_checks_update = operation({
  route: 'PATCH /uptime/checks/{id}',
  summary: 'Change an uptime check',
  description:
    'If the target or the expected result changes, the check becomes pending and is probed at once. A paused check stays paused.',
  access: 'uptime.manage',
  denies: ({ caller, check, input }) => (input.public && check.public === 0 ? lacks(caller, ['analytics.read']) : undefined),
  on: locked(check),
  effect: 'update',
  contacts: true,
  input: updateFields,
  output: UptimeCheck,
  examples: [
    { input: { id: '{{check}}', interval_seconds: 60, timeout_seconds: 10 } },
    {
      summary: 'Change the target',
      input: { id: '{{check}}', url: 'https://example.com/health', expected_status: 204 },
    },
  ],
  async run({ db, config, check: before, input, now }) {
    const { target, faults } = resolveTarget(input, before)
    failWith(faults)
    const hasNewTarget = aimsElsewhere(before, target)
    const hasNewInterval = input.interval_seconds !== undefined && input.interval_seconds !== before.interval_seconds
    if (hasNewInterval) await intervalIn(db, { config, workspaceId: before.workspace_id, given: input.interval_seconds })
    const domain = registrableDomain(target)
    const row = await db
      .updateTable('uptime_checks')
      .set({
        ...target,
        name: ownName(input.name, targetName(before), targetName(target)),
        interval_seconds: input.interval_seconds,
        timeout_seconds: input.timeout_seconds,
        public: flag(input.public),
        ...(hasNewTarget && nothingKnown),
        ...(domain !== before.domain && { domain, domain_expires_at: await followDomain(db, domain, now) }),
        ...(before.status !== 'paused' && (hasNewTarget ? startAgain(now) : hasNewInterval && { next_check_at: now, leased_until: null })),
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (hasNewTarget && before.status !== 'paused') await watchAgain(db, row, now)
    if (domain !== before.domain) wakeAfter(db, 'domains_refresh')
    return toCheck(row)
  },
})

export const uptime_checks_delete = operation({
  route: 'DELETE /uptime/checks/{id}',
  summary: 'Delete an uptime check',
  description: 'Deletes its history, too. `uptime_checks_restore` undoes it within 30 days.',
  access: 'uptime.manage',
  on: check,
  effect: 'delete',
  input: {},
  output: UptimeCheck,
  examples: [{ input: { id: '{{check}}' } }],
  async run({ check: { id, workspace_id: workspaceId, site_id: siteId, ...check }, ...call }) {
    const name = toCheck({ id, workspace_id: workspaceId, site_id: siteId, ...check }).name
    return toCheck(await deleteFor(call, { table: 'uptime_checks', id, name, workspaceId, siteId }))
  },
})

export const uptime_checks_restore = restoring({
  route: 'POST /uptime/checks/{id}/restore',
  undoes: 'uptime_checks_delete',
  table: 'uptime_checks',
  of: check,
  summary: 'Restore a deleted uptime check',
  description:
    'Brings it back with its id and its history, within 30 days of its deletion. Unless it was paused, it is probed at once. The time in between does not count for availability.',
  help: 'Brings it back with its history, and probes it at once. The time in between does not count for availability.',
  done: 'Uptime check restored.',
  access: 'uptime.manage',
  denies: (row, caller) => (row.public === 1 ? lacks(caller, ['analytics.read']) : undefined),
  isHiddenWithoutSite: true,
  output: UptimeCheck,
  examples: [{ input: { id: '{{deleted_check}}' } }],
  revived: (row, { record: { deleted_at } }): UptimeCheckRow => ({
    ...row,
    status: 'paused',
    status_since: deleted_at,
    next_check_at: null,
    leased_until: null,
  }),
  async restored(row, { db, now, record }) {
    const was = JSON.parse(record.row) as Pick<UptimeCheckRow, 'status'> // the same row as it was deleted
    await db
      .insertInto('uptime_periods')
      .values({ check_number: row.number, started_at: record.deleted_at, status: 'paused' })
      .onConflict(same => same.doNothing())
      .execute()
    if (was.status === 'paused') return row
    const again = await db
      .updateTable('uptime_checks')
      .set(startAgain(now))
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await watchAgain(db, again, now)
    return again
  },
  answer: toCheck,
})

export const uptime_checks_pause = operation({
  route: 'POST /uptime/checks/{id}/pause',
  summary: 'Pause an uptime check',
  label: 'Pause',
  done: 'Uptime check paused.',
  description:
    'Footfall no longer probes it, and the paused time does not count for availability. ' +
    'An open incident stays open until a probe finds the check up. Repeating it changes nothing.',
  access: 'uptime.manage',
  on: locked(check),
  effect: 'update',
  offered: { status: ['up', 'down', 'pending'] },
  input: {},
  output: UptimeCheck,
  examples: [{ input: { id: '{{check}}' } }],
  async run({ db, check: before, now }) {
    if (before.status === 'paused') return toCheck(before)
    await beginPeriod(db, before.number, { started_at: now, status: 'paused' })
    const row = await db
      .updateTable('uptime_checks')
      .set({ status: 'paused', status_since: now, next_check_at: null, leased_until: null })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toCheck(row)
  },
})

export const uptime_checks_resume = operation({
  route: 'POST /uptime/checks/{id}/resume',
  summary: 'Resume an uptime check',
  label: 'Resume',
  done: 'Uptime check resumed.',
  description: 'The check becomes pending and is probed at once. Only a paused check can be resumed.',
  access: 'uptime.manage',
  on: locked(check),
  effect: 'update',
  contacts: true,
  offered: { status: ['paused'] },
  input: {},
  output: UptimeCheck,
  examples: [{ input: { id: '{{paused_check}}' } }],
  async run({ db, check: before, now }) {
    if (before.status !== 'paused') fail('invalid_state', m.not_paused({ state: valueTerm(before.status) }))
    const row = await db
      .updateTable('uptime_checks')
      .set(startAgain(now))
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await watchAgain(db, row, now)
    return toCheck(row)
  },
})
