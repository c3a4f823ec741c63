import { m } from './messages.ts'
import { fieldTerm, type Message, type Term } from '../../../runtime/texts/message.ts'
import { Type } from '@sinclair/typebox'
import { fail, failWith, type Fault } from '../../../runtime/table/errors.ts'
import { withoutHidden } from '../../../runtime/values/hidden-characters.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { Clearable, DateTime, Name, OneOf, optional } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import type { Db } from '../../../storage/store.ts'
import type { StatusIncidentRow, StatusPageRow } from '../../../storage/tables/status-pages.ts'
import { planMaintenance } from '../uptime/index.ts'
import { checksOf, checksOn, setChecks } from './incident-checks.ts'
import { ids, StatusIncident, StatusIncidentDetail, status_incident, status_page, toIncident, toUpdate } from './records.ts'
import { limits } from './limits.ts'
import { impacts, isOver, kinds, statuses, statusAt } from './timeline.ts'
import { settle, addUpdate, updatesOf } from './updates.ts'

const title = Name({ maxLength: 150, description: 'Title, on one line.' })
const impact = OneOf(impacts, { description: 'Severity.' })
const checkIds = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: limits.checks,
  description: 'Affected checks of the page.',
})
const body = Type.String({ maxLength: limits.body, default: '', description: 'Text of the update, in Markdown.' })
const notify = Type.Boolean({ default: true, description: 'Whether to notify subscribers.' })

const ofPage = { status_page_id: '{{status_page}}' }
const ofIncident = { ...ofPage, id: '{{status_incident}}' }

export const status_incidents_create = operation({
  route: 'POST /status_pages/{status_page_id}/incidents',
  summary: 'Create an incident: announce it, or plan maintenance, on a status page',
  done: 'Incident created.',
  description:
    'Footfall begins and ends maintenance at the given times. In maintenance, checks open no incident, notify no channel and ' +
    'do not count for availability. With `ends_at`, an incident is created as resolved.',
  help: 'Maintenance begins and ends at its times. Until it ends, checks open no incident, notify no channel and do not count for availability.',
  access: 'uptime.manage',
  reach: 'workspace',
  on: locked(status_page),
  effect: 'create',
  contacts: true,
  input: {
    kind: OneOf(kinds, { default: 'incident', description: 'An incident, or planned maintenance.' }),
    title,
    impact: optional(OneOf(impacts, { description: 'Severity. Default: `minor`, or `none` for maintenance.' })),
    check_ids: Type.Array(Type.String({ maxLength: 64 }), { ...checkIds, default: [] }),
    starts_at: optional(DateTime({ description: 'Start; for maintenance, the planned start. Default: now.' })),
    ends_at: optional(DateTime({ description: 'End; for maintenance, the planned end (required).' })),
    body,
    notify,
  },
  output: StatusIncidentDetail,
  examples: [
    {
      summary: 'An incident',
      input: { ...ofPage, title: 'Payments are slow', impact: 'minor', check_ids: ['{{check}}'], body: 'We are investigating.' },
    },
    {
      summary: 'Planned maintenance',
      input: { ...ofPage, kind: 'maintenance', title: 'Database move', starts_at: '2030-01-12T22:00:00Z', ends_at: '2030-01-12T23:30:00Z' },
    },
  ],
  async run({ db, status_page: page, input, config, now, newId }) {
    const startsAt = input.starts_at === undefined ? now : Date.parse(input.starts_at)
    const endsAt = input.ends_at === undefined ? null : Date.parse(input.ends_at)
    const checks = await checksOn(db, { page, given: input.check_ids })
    failWith([...faultsOfTimes({ kind: input.kind, startsAt, endsAt, now }), ...checks.faults])
    const count = await countOf(db.selectFrom('status_incidents').where('page_id', '=', page.id))
    if (count >= limits.incidents) fail('limit_reached', m.too_many_incidents({ most: limits.incidents }))
    const created: StatusIncidentRow = {
      id: newId(ids.status_incident),
      page_id: page.id,
      kind: input.kind,
      title: input.title,
      impact: input.impact ?? (input.kind === 'incident' ? 'minor' : 'none'),
      status: input.kind === 'maintenance' ? 'scheduled' : endsAt === null ? 'investigating' : 'resolved',
      automatic: 0,
      automatic_for: null,
      starts_at: startsAt,
      ends_at: endsAt,
      clock_at: null,
      notify_at: null,
      notify_since: null,
      notify_after: '',
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('status_incidents').values(created).execute()
    await setChecks(db, created.id, checks.numbers)
    const update = { status: statusAt(created, now), body: withoutHidden(input.body, 'lines'), notify: input.notify }
    return detail(db, { page, row: await addUpdate({ db, now, config, newId }, created, update), rest: { config, now } })
  },
})

export const status_incidents_list = list({
  route: 'GET /status_pages/{status_page_id}/incidents',
  summary: 'List incidents and maintenance of a status page',
  empty: {
    says: 'An incident tells visitors what is wrong and what you do about it. Announce maintenance here, too.',
    like: [
      ['API slow', '●'],
      ['DB upgrade', '02:00'],
    ],
  },
  title: 'Incidents',
  description: 'Planned maintenance first, then the latest.',
  access: 'analytics.read',
  on: status_page,
  effect: 'read',
  input: {
    kind: optional(OneOf(kinds, { description: 'Only incidents, or only maintenance.' })),
    open: optional(Type.Boolean({ description: 'true: only those that have not ended. false: only those that have ended.' })),
  },
  of: StatusIncident,
  examples: [{ input: ofPage }],
  async run({ db, status_page: page, input, page: wanted, config, now }) {
    let query = db.selectFrom('status_incidents').selectAll().where('page_id', '=', page.id)
    if (input.kind) query = query.where('kind', '=', input.kind)
    if (input.open !== undefined) {
      const isOpen = input.open
      query = query.where(({ eb, and, or, not }) => {
        const over = or([eb('status', 'in', ['resolved', 'completed']), and([eb('kind', '=', 'maintenance'), eb('ends_at', '<=', now)])])
        return isOpen ? not(over) : over
      })
    }
    const { rows, total } = await pageOf(query.orderBy('starts_at', 'desc').orderBy('id', 'desc'), wanted)
    const checks = await checksOf(
      db,
      rows.map(({ id }) => id),
    )
    return { rows: rows.map(row => toIncident(row, checks(row.id), { page, config, now })), total }
  },
})

export const status_incidents_get = operation({
  route: 'GET /status_pages/{status_page_id}/incidents/{id}',
  summary: 'Get an incident of a status page, with all its updates',
  access: 'analytics.read',
  on: [status_page, status_incident],
  effect: 'read',
  input: {},
  output: StatusIncidentDetail,
  examples: [{ input: ofIncident }],
  run: async ({ db, status_page, status_incident, config, now }) =>
    detail(db, { page: status_page, row: of(status_page, status_incident), rest: { config, now } }),
})

export const status_incidents_update = operation({
  route: 'PATCH /status_pages/{status_page_id}/incidents/{id}',
  summary: 'Correct an incident of a status page, or move maintenance',
  done: 'Incident changed.',
  description: 'Omitted fields stay unchanged. Subscribers are not notified. To report progress, use `status_incident_updates_create`.',
  help: 'Subscribers are not notified. To report progress, use `status_incident_updates_create`.',
  access: 'uptime.manage',
  reach: 'workspace',
  on: [status_page, locked(status_incident)],
  effect: 'update',
  contacts: true,
  input: {
    title: optional(title),
    impact: optional(impact),
    check_ids: optional(checkIds),
    starts_at: optional(DateTime({ description: 'Start; for maintenance, the planned start.' })),
    ends_at: optional(Clearable(DateTime(), { description: 'Time of the resolution; for maintenance, the planned end.' })),
  },
  output: StatusIncidentDetail,
  examples: [{ input: { ...ofIncident, impact: 'major' } }],
  async run({ db, status_page: page, status_incident, input, config, now, newId }) {
    const before = of(page, status_incident)
    const startsAt = input.starts_at === undefined ? before.starts_at : Date.parse(input.starts_at)
    const endsAt = input.ends_at === undefined ? before.ends_at : input.ends_at ? Date.parse(input.ends_at) : null
    const isMoved = startsAt !== before.starts_at || endsAt !== before.ends_at
    const checks = await checksOn(db, { page, given: input.check_ids ?? [], incidentId: before.id })
    const over = isOver(before, now)
    failWith([...(isMoved ? faultsOfMove({ before, startsAt, endsAt, over, now }) : []), ...(input.check_ids ? checks.faults : [])])
    if (input.check_ids) await setChecks(db, before.id, checks.numbers)
    const hasBegun = before.kind === 'maintenance' && statusAt(before, now) !== 'scheduled'
    const row = await settle(
      { db, now, config, newId },
      {
        ...before,
        title: input.title ?? before.title,
        impact: input.impact ?? before.impact,
        // Maintenance that was moved into the future is planned again.
        status: hasBegun && !over && startsAt > now ? 'scheduled' : before.status,
        starts_at: startsAt,
        ends_at: endsAt,
        updated_at: now,
      },
    )
    return detail(db, { page, row, rest: { config, now } })
  },
})

export const status_incidents_delete = operation({
  route: 'DELETE /status_pages/{status_page_id}/incidents/{id}',
  summary: 'Delete an incident of a status page',
  done: 'Incident deleted.',
  description: 'Deletes all its updates. Messages that are not sent yet are dropped.',
  access: 'uptime.manage',
  reach: 'workspace',
  on: [status_page, locked(status_incident)],
  effect: 'delete',
  input: {},
  output: StatusIncident,
  examples: [{ input: ofIncident }],
  async run({ db, status_page: page, status_incident, config, now }) {
    const { id } = of(page, status_incident)
    const gone = toIncident(status_incident, (await checksOf(db, [id]))(id), { page, config, now })
    await planMaintenance(db, { plannedBy: id, checks: [], starts_at: now, ends_at: now }, now)
    await db.deleteFrom('status_incidents').where('id', '=', id).execute()
    return gone
  },
})

export const status_incident_updates_create = operation({
  route: 'POST /status_pages/{status_page_id}/incidents/{id}/updates',
  summary: 'Post an update on an incident or maintenance of a status page',
  done: 'Update posted.',
  description:
    'Notifies subscribers, with at least 5 minutes between two messages to a subscriber. An incident can be reopened for 7 ' +
    'days after it was resolved.',
  access: 'uptime.manage',
  reach: 'workspace',
  on: [status_page, locked(status_incident)],
  effect: 'create',
  contacts: true,
  input: {
    status: optional(
      OneOf(statuses, {
        description:
          'investigating, identified, monitoring or resolved for an incident, otherwise the other values. Defaults to the current status.',
      }),
    ),
    body,
    notify,
  },
  output: StatusIncidentDetail,
  examples: [{ input: { ...ofIncident, status: 'monitoring', body: 'A fix is **live**; we are watching it.' } }],
  async run({ db, status_page: page, status_incident, input, config, now, newId }) {
    const before = of(page, status_incident)
    const count = await countOf(db.selectFrom('status_incident_updates').where('incident_id', '=', before.id))
    if (count >= limits.updates) fail('limit_reached', m.too_many_updates({ most: limits.updates }))
    const update = { status: input.status ?? statusAt(before, now), body: withoutHidden(input.body, 'lines'), notify: input.notify }
    return detail(db, { page, row: await addUpdate({ db, now, config, newId }, before, update), rest: { config, now } })
  },
})

/** @throws Failure `not_found` for an incident of another page of the workspace */
const of = ({ id }: StatusPageRow, incident: StatusIncidentRow): StatusIncidentRow =>
  incident.page_id === id ? incident : fail('not_found')

interface FaultsOfTimes {
  readonly kind: string
  readonly startsAt: number
  readonly endsAt: number | null
  readonly now: number
}

function faultsOfTimes({ kind, startsAt, endsAt, now }: FaultsOfTimes): Fault[] {
  const faults: Fault[] = []
  if (kind === 'maintenance') {
    if (endsAt === null) return [{ pointer: '/ends_at', code: 'required', message: m.end_required({ field: fieldTerm('ends_at') }) }]
    if (endsAt <= now) faults.push(tooSmall('ends_at', m.end_in_past))
    if (startsAt > now + 3_660 * DAY_MS)
      faults.push({ pointer: '/starts_at', code: 'too_large', message: m.starts_too_late({ field: fieldTerm('starts_at') }) })
    if (endsAt - startsAt > 31 * DAY_MS)
      faults.push({ pointer: '/ends_at', code: 'too_large', message: m.too_long({ field: fieldTerm('ends_at') }) })
  } else {
    if (startsAt > now) faults.push({ pointer: '/starts_at', code: 'too_large', message: m.not_come({ field: fieldTerm('starts_at') }) })
    if (endsAt !== null && endsAt > now)
      faults.push({ pointer: '/ends_at', code: 'too_large', message: m.not_come({ field: fieldTerm('ends_at') }) })
  }
  if (endsAt !== null && endsAt <= startsAt) faults.push(tooSmall('ends_at', m.ends_before_start))
  return faults
}

interface FaultsOfMove {
  readonly before: StatusIncidentRow
  readonly startsAt: number
  readonly endsAt: number | null
  readonly over: boolean
  readonly now: number
}

function faultsOfMove({ before, startsAt, endsAt, over, now }: FaultsOfMove): Fault[] {
  if (before.kind === 'maintenance' && over) return [{ pointer: '/ends_at', code: 'mismatch', message: m.maintenance_over() }]
  if (before.kind === 'incident' && !over && endsAt !== null)
    return [{ pointer: '/ends_at', code: 'mismatch', message: m.ends_by_update() }]
  if (before.kind === 'incident' && over && endsAt === null)
    return [{ pointer: '/ends_at', code: 'mismatch', message: m.reopened_by_update() }]
  return faultsOfTimes({ kind: before.kind, startsAt, endsAt, now })
}

const tooSmall = (field: string, message: (params: { field: Term }) => Message): Fault => ({
  pointer: `/${field}`,
  code: 'too_small',
  message: message({ field: fieldTerm(field) }),
})

interface Detail {
  readonly page: StatusPageRow
  readonly row: StatusIncidentRow
  readonly rest: { config: Parameters<typeof toIncident>[2]['config']; now: number }
}

async function detail(db: Db, { page, row, rest }: Detail) {
  const updates = await updatesOf(db, [row.id])
  return { ...toIncident(row, (await checksOf(db, [row.id]))(row.id), { page, ...rest }), updates: updates(row.id).map(toUpdate) }
}
