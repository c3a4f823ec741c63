/** Alerts. An alert watches one value and is ok or triggered; a triggered alert has one open incident. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, record, Sentence, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import { sentenceOf } from '../../../runtime/texts/message.ts'
import type { Db } from '../../../storage/store.ts'
import type { AlertRow, IncidentRow } from '../../../storage/tables/index.ts'
import { kinds, metrics, operators } from './condition.ts'
import { idKind } from '../../../runtime/values/ids.ts'

export const ids = { alert: idKind('alr_') }

export const states = ['ok', 'triggered'] as const
export const sensitivities = ['low', 'medium', 'high'] as const

export const Alert = record(
  'Alert',
  {
    id: Type.String({ description: 'Prefix `alr_`.' }),
    site_id: Nullable(Type.String(), { description: 'Site it watches; null for usage alerts.' }),
    name: Type.String({ description: 'Name shown in lists and notifications.' }),
    kind: OneOf(kinds, { description: 'The watched value.' }),
    metric: Nullable(OneOf(metrics), { description: 'Metric it watches, for threshold, anomaly and vitals.' }),
    operator: Nullable(OneOf(operators), { description: 'Comparison of the value with the threshold; for anomaly the side, or null.' }),
    threshold: Nullable(Type.Number(), {
      description: 'Depends on the kind: metric value, completions, hours, percent, days or milliseconds.',
    }),
    window_minutes: Type.Integer({ unit: 'minutes', description: 'Length of the evaluated window.' }),
    sensitivity: OneOf(sensitivities, { description: 'Smallness of the deviations that an anomaly alert reports.' }),
    goal_id: Nullable(Type.String(), { description: 'Goal whose completions it watches.' }),
    uptime_check_id: Nullable(Type.String(), {
      description: 'Uptime check that it watches; null: all checks of the site, or the alert watches none.',
    }),
    channel_ids: Type.Array(Type.String(), { description: 'Channels that the alert notifies.' }),
    state: OneOf(states, { description: 'Whether it has an open incident.' }),
    enabled: Type.Boolean({ description: 'Whether Footfall evaluates the alert.' }),
    muted_until: Nullable(DateTime(), { description: 'End of the mute; until then, its channels get no messages.' }),
    last_triggered_at: Nullable(DateTime(), { description: 'Start of its latest incident.' }),
    last_evaluated_at: Nullable(DateTime(), { description: 'Time of the last evaluation.' }),
    created_at: DateTime({ description: 'Creation time.' }),
  },
  'An alert: a watched condition, and the channels to notify.',
)

export const AlertIncident = record(
  'AlertIncident',
  {
    triggered_at: DateTime({ description: 'Time at which the condition was met.' }),
    resolved_at: Nullable(DateTime(), { description: 'End; null while it is open.' }),
    value: Nullable(Type.Number(), { description: 'Measured value when triggered.' }),
    message: Nullable(Sentence(), { description: 'Sentence that describes the event.' }),
    acknowledged_at: Nullable(DateTime(), { description: 'Time of the first acknowledgement.' }),
    acknowledged_by: Nullable(Type.String(), { description: 'Name of the member who acknowledged it.' }),
  },
  'A period in which an alert was triggered.',
)

export const alert = subject<'alert', AlertRow>({
  name: 'alert',
  async find(db, id) {
    const row = await db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: row.site_id, unrestricted: row.site_id === null }
  },
  lock: lockAlert,
})

/** Reads and locks the current row of the alert until the transaction ends; undefined if it was deleted in the meantime. */
export function lockAlert(db: Db, id: string): Promise<AlertRow | undefined> {
  // An update that changes nothing locks the row on both engines; SQLite has no FOR UPDATE.
  return db
    .updateTable('alerts')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** @param channels ids of its notification channels */
export function toAlert(row: AlertRow, channels: readonly string[]): Static<typeof Alert> {
  return {
    id: row.id,
    site_id: row.site_id,
    name: row.name,
    kind: row.kind,
    metric: row.metric,
    operator: row.operator,
    threshold: row.threshold,
    window_minutes: row.window_minutes,
    sensitivity: row.sensitivity,
    goal_id: row.goal_id,
    uptime_check_id: row.uptime_check_id,
    channel_ids: [...channels],
    state: row.state,
    enabled: row.enabled === 1,
    muted_until: iso(row.muted_until),
    last_triggered_at: iso(row.last_triggered_at),
    last_evaluated_at: iso(row.last_evaluated_at),
    created_at: iso(row.created_at),
  }
}

export function toIncident(row: IncidentRow): Static<typeof AlertIncident> {
  return {
    triggered_at: iso(row.triggered_at),
    resolved_at: iso(row.resolved_at),
    value: row.value,
    message: row.message === null ? null : sentenceOf(row.message),
    acknowledged_at: iso(row.acknowledged_at),
    acknowledged_by: row.acknowledged_by,
  }
}
