import { Type } from '@sinclair/typebox'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { deleteFor, needsDeleted, restoring } from '../../../runtime/table/restoring.ts'
import { list, operation, type Page } from '../../../runtime/table/operation.ts'
import { Id, optional } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import type { Db } from '../../../storage/store.ts'
import type { AlertRow } from '../../../storage/tables/index.ts'
import { site } from '../../sites/sites/records.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { channelsOf, channelsOfEach, setChannels } from './channels.ts'
import { type Kind, resolveCondition, watchesOther } from './condition.ts'
import { ofEachKind } from './examples.ts'
import { conditionFields, fields, filters } from './fields.ts'
import { alertInput, newAlert, reachOf } from './new-alert.ts'
import { resolveOpen } from './incidents.ts'
import { Alert, alert, AlertIncident, ids, toAlert, toIncident } from './records.ts'
import { goneOf, lockGoal, unknownIds, unknownSite } from './references.ts'
import { endIncident } from './remove.ts'
import { m } from './messages.ts'

export const alerts_create = operation({
  route: 'POST /workspaces/{workspace_id}/alerts',
  summary: 'Create an alert: get notified when a condition is met',
  description: 'Notifies its channels, for example when traffic drops or hits stop coming. A field that its kind does not use is refused.',
  help: 'Get notified when traffic drops or spikes, a goal is reached, hits stop coming, the site is down, a certificate expires, web vitals worsen, or the plan is nearly used up. Messages go to its channels.',
  access: 'content.write',
  reach: ({ input }) => reachOf(input.kind),
  on: workspace,
  locks: ({ db, input }) => lockGoal(db, input.goal_id),
  effect: 'create',
  contacts: true,
  input: alertInput,
  output: Alert,
  examples: ofEachKind.map(({ summary, input }) => ({ summary, input: { workspace_id: '{{workspace}}', ...input } })),
  async run({ db, workspace, caller, input, now, newId }) {
    const row = await newAlert({ db, workspace, caller, now }, { id: newId(ids.alert), ...input })
    const channels = [...new Set(input.channel_ids)]
    await db.insertInto('alerts').values(row).execute()
    await setChannels(db, row.id, channels)
    wakeAfter(db, 'alerts_evaluate')
    return toAlert(row, channels)
  },
})

export const alerts_list = list({
  route: 'GET /workspaces/{workspace_id}/alerts',
  summary: 'List alerts of a workspace',
  empty: {
    says: 'An alert tells you when a figure leaves its usual range: fewer visitors, slow pages, no hits.',
    like: [
      ['visitors < 50', '24 h'],
      ['LCP > 2.5 s', '7 d'],
    ],
  },
  title: 'Alerts',
  place: 'watching',
  icon: 'alert',
  description: 'Conditions and current states, newest first. A token restricted to sites sees the alerts of those sites.',
  access: 'analytics.read',
  on: workspace,
  effect: 'read',
  input: { site_id: optional(Id({ description: 'Only alerts of this site.' })), ...filters },
  of: Alert,
  examples: [
    { input: { workspace_id: '{{workspace}}' } },
    { summary: 'Triggered alerts', input: { workspace_id: '{{workspace}}', site_id: '{{site}}', state: 'triggered' } },
  ],
  async run({ db, workspace, caller, input, page }) {
    if (input.site_id) failWith(await unknownSite(db, caller, input.site_id))
    const siteIds = input.site_id ? [input.site_id] : caller.siteIds
    return pageOfAlerts(db, { ...input, workspaceId: workspace.id, siteIds }, page)
  },
})

export const site_alerts_list = list({
  route: 'GET /sites/{site_id}/alerts',
  summary: 'List alerts of a site',
  empty: {
    says: 'An alert tells you when a figure of this site leaves its usual range: fewer visitors, slow pages, no hits.',
    like: [
      ['visitors < 50', '24 h'],
      ['LCP > 2.5 s', '7 d'],
    ],
  },
  title: 'Alerts',
  place: 'watching',
  icon: 'alert',
  description: 'Conditions and current states, newest first.',
  access: 'analytics.read',
  on: site,
  groups: true,
  effect: 'read',
  input: filters,
  of: Alert,
  examples: [{ input: { site_id: '{{site}}' } }, { summary: 'Of one kind', input: { site_id: '{{site}}', kind: 'threshold' } }],
  run: ({ db, site, input, page }) => pageOfAlerts(db, { ...input, workspaceId: site.workspace_id, siteIds: [site.id] }, page),
})

export const alerts_get = operation({
  route: 'GET /alerts/{id}',
  summary: 'Get an alert and its state',
  access: 'analytics.read',
  on: alert,
  effect: 'read',
  input: {},
  output: Alert,
  examples: [{ input: { id: '{{alert}}' } }],
  run: async ({ db, alert }) => toAlert(alert, await channelsOf(db, alert.id)),
})

export const alerts_update = operation({
  route: 'PATCH /alerts/{id}',
  summary: 'Change an alert',
  description:
    'Null resets a field to the default of its kind. Another kind starts a new condition on the same ' +
    'site. Changing the watched value, or disabling, resolves an open incident.',
  help: 'Empty fields take the default of their kind. Changing the watched value, or disabling, resolves an open incident.',
  access: 'content.write',
  reach: ({ alert, input }) => reachOf(input.kind ?? alert.kind),
  on: locked(alert),
  locks: ({ db, input }) => lockGoal(db, input.goal_id),
  effect: 'update',
  contacts: true,
  input: {
    name: optional(fields.name),
    kind: optional(fields.kind),
    ...conditionFields,
    window_minutes: optional(fields.window_minutes),
    sensitivity: optional(fields.sensitivity),
    channel_ids: optional(fields.channel_ids),
    enabled: optional(fields.enabled),
  },
  output: Alert,
  examples: [
    { input: { id: '{{alert}}', name: 'Very few visitors', threshold: 5 } },
    { summary: 'Stop evaluating it', input: { id: '{{alert}}', enabled: false } },
  ],
  async run({ db, alert: before, caller, input, now, emit, newId, config }) {
    const kind = input.kind ?? before.kind
    const channels = await channelsOf(db, before.id)
    const { condition, faults } = resolveCondition(kind, input, before)
    const named = { ...condition, kind, channels: [...new Set(input.channel_ids ?? channels)] }
    failWith([...faults, ...(await unknownIds(db, { caller, named, before: { ...before, channels } }))])
    const next: AlertRow = {
      ...before,
      kind,
      ...condition,
      name: input.name ?? before.name,
      window_minutes: input.window_minutes ?? before.window_minutes,
      sensitivity: input.sensitivity ?? before.sensitivity,
      enabled: Number(input.enabled ?? before.enabled),
    }
    await setChannels(db, before.id, named.channels)
    const resolution = next.enabled === 0 ? 'disabled' : watchesOther(before, next) ? 'rule_changed' : undefined
    if (resolution) {
      next.state = 'ok'
      await resolveOpen({ db, now, emit, newId, baseUrl: config.BASE_URL }, { alert: next, siteId: before.site_id, resolution })
    }
    if (resolution || before.enabled === 0) Object.assign(next, startOver(next, now))
    await db.updateTable('alerts').set(next).where('id', '=', before.id).execute()
    wakeAfter(db, 'alerts_evaluate')
    return toAlert(next, named.channels)
  },
})

export const alerts_delete = operation({
  route: 'DELETE /alerts/{id}',
  summary: 'Delete an alert',
  description: 'Deletes its incidents, too; an open incident is resolved first. `alerts_restore` undoes it within 30 days.',
  access: 'content.write',
  on: locked(alert),
  effect: 'delete',
  input: {},
  output: Alert,
  examples: [{ input: { id: '{{alert}}' } }],
  async run({ db, store, alert: before, caller, now, emit, newId, config }) {
    const channels = await channelsOf(db, before.id)
    await endIncident({ db, now, emit, newId, baseUrl: config.BASE_URL }, before)
    const { id, name, workspace_id: workspaceId, site_id: siteId } = before
    await deleteFor({ db, store, now, caller }, { table: 'alerts', id, name, workspaceId, siteId })
    return toAlert(before, channels)
  },
})

export const alerts_restore = restoring({
  route: 'POST /alerts/{id}/restore',
  undoes: 'alerts_delete',
  table: 'alerts',
  of: alert,
  summary: 'Restore a deleted alert',
  description:
    'Brings it back with its id, its past incidents and its channels, as far as they still exist, within 30 days of its deletion. It is evaluated at once.',
  help: 'Brings it back with its past incidents and its channels. It is evaluated at once.',
  done: 'Alert restored.',
  access: 'content.write',
  isHiddenWithoutSite: true,
  output: Alert,
  examples: [{ input: { id: '{{deleted_alert}}' } }],
  async fits({ name, goal_id, uptime_check_id, site_id }, { db, record }) {
    await lockGoal(db, goal_id)
    const id = await goneOf(db, { site_id, goal_id, uptime_check_id })
    if (id !== null) await needsDeleted(db, { name, workspaceId: record.workspace_id, id })
  },
  revived: (row, { now }): AlertRow => ({ ...row, ...startOver(row, now), state: 'ok' }),
  async answer(row, { db }) {
    wakeAfter(db, 'alerts_evaluate')
    return toAlert(row, await channelsOf(db, row.id))
  },
})

export const alerts_acknowledge = operation({
  route: 'POST /alerts/{id}/acknowledge',
  summary: 'Acknowledge the latest incident of an alert',
  label: 'Acknowledge',
  done: 'Incident acknowledged.',
  description: 'Records that a member has seen the open incident. Repeating it changes nothing.',
  access: 'analytics.read',
  on: alert,
  effect: 'update',
  offered: { state: ['triggered'] },
  offeredBy: { list: 'alerts_history', first: { acknowledged_at: [null] } },
  input: {},
  output: Alert,
  examples: [{ input: { id: '{{alert}}' } }],
  async run({ db, alert, caller, now }) {
    const incident = await db
      .updateTable('alert_incidents')
      .set(({ fn, val }) => ({
        acknowledged_at: fn.coalesce('acknowledged_at', val(now)),
        acknowledged_by: fn.coalesce('acknowledged_by', val(caller.member.name)),
      }))
      .where('alert_id', '=', alert.id)
      .where('resolved_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!incident) fail('invalid_state', m.no_open_incident())
    return toAlert(alert, await channelsOf(db, alert.id))
  },
})

export const alerts_history = list({
  route: 'GET /alerts/{id}/history',
  summary: 'List incidents of an alert: when it was triggered',
  empty: {
    says: 'Each time the alert is triggered, the incident appears here with its beginning and end.',
    like: [['31 < 50', '09:12 – 11:40']],
  },
  description: 'Returns the value, the message, and the times of the acknowledgement and the resolution. Newest first.',
  access: 'analytics.read',
  on: alert,
  effect: 'read',
  input: { open: Type.Boolean({ default: false, description: 'Only unresolved incidents.' }) },
  of: AlertIncident,
  examples: [{ input: { id: '{{alert}}' } }, { summary: 'Only what is open', input: { id: '{{alert}}', open: true } }],
  async run({ db, alert, input, page }) {
    let query = db.selectFrom('alert_incidents').selectAll().where('alert_id', '=', alert.id)
    if (input.open) query = query.where('resolved_at', 'is', null)
    const { rows, total } = await pageOf(query.orderBy('triggered_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(toIncident), total }
  },
})

const mute = { begun: m.alert_muted, ended: m.alert_unmuted }
export const alerts_mute = operation({
  route: 'POST /alerts/{id}/mute',
  summary: 'Mute an alert',
  label: 'Mute',
  done: 'Muting changed.',
  description: 'Footfall does not notify its channels. It still evaluates the alert and sends webhooks.',
  access: 'content.write',
  on: locked(alert),
  effect: 'update',
  offered: { enabled: [true] },
  input: {
    minutes: Type.Integer({
      unit: 'minutes',
      default: 60,
      minimum: 0,
      maximum: 43_200,
      description: 'Minutes from now, at most 30 days; 0 unmutes.',
    }),
  },
  output: Alert,
  outcome: ({ muted_until }) => ({ is: 'success', says: muted_until === null ? mute.ended : mute.begun }),
  examples: [
    { summary: 'For two hours', input: { id: '{{alert}}', minutes: 120 } },
    { summary: 'Unmute', input: { id: '{{alert}}', minutes: 0 } },
  ],
  async run({ db, alert: before, input, now }) {
    const muted_until = input.minutes === 0 ? null : now + input.minutes * 60_000
    // Channels may have to be notified when the mute ends or is lifted: evaluate then.
    const due = before.evaluate_at === null ? null : Math.min(before.evaluate_at, muted_until ?? now)
    await db.updateTable('alerts').set({ muted_until, evaluate_at: due }).where('id', '=', before.id).execute()
    wakeAfter(db, 'alerts_evaluate')
    return toAlert({ ...before, muted_until }, await channelsOf(db, before.id))
  },
})

/** Schedules an evaluation now, or none if disabled. An evaluation under way loses its lease. */
function startOver({ enabled }: AlertRow, now: number): Pick<AlertRow, 'evaluate_at' | 'leased_until' | 'streak'> {
  return { evaluate_at: enabled === 1 ? now : null, leased_until: null, streak: 0 }
}

interface Wanted {
  readonly workspaceId: string
  /** Empty: all sites. */
  readonly siteIds: readonly string[]
  readonly state?: AlertRow['state'] | undefined
  readonly kind?: Kind | undefined
}
async function pageOfAlerts(db: Db, { workspaceId, siteIds, state, kind }: Wanted, page: Page) {
  let query = db.selectFrom('alerts').selectAll().where('workspace_id', '=', workspaceId)
  if (siteIds.length > 0) query = query.where('site_id', 'in', siteIds)
  if (state) query = query.where('state', '=', state)
  if (kind) query = query.where('kind', '=', kind)
  const { rows, total } = await pageOf(query.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
  const channelsOf = await channelsOfEach(
    db,
    rows.map(({ id }) => id),
  )
  return { rows: rows.map(row => toAlert(row, channelsOf(row.id))), total }
}
