/**
 * Incidents of alerts, changed in the same transaction as their cause. The database allows one open incident for each
 * alert.
 */
import type { Emit } from '../../../runtime/events/event.ts'
import { type Message, storedSentence } from '../../../runtime/texts/message.ts'
import type { AlertRow, IncidentRow } from '../../../storage/tables/index.ts'
import { announce, type Announcing } from './announce.ts'
import { channelsOf } from './channels.ts'
import { alert_resolved, alert_triggered, goal_completed_threshold } from './events.ts'
import { toAlert, toIncident } from './records.ts'
import { isAnnounced } from './state.ts'
import { ids as uptimeIds } from '../../watch/uptime/records.ts'

/** The context of a change: the transaction and its time, events, and notification channels. */
export type Changing = Announcing & { readonly emit: Emit }

/**
 * Opens an incident and announces it.
 * @param alert with its new state, already triggered
 * @param value the measured value
 * @param message the event, in one sentence
 */
export async function open(
  changing: Changing,
  { alert, value, message }: { alert: AlertRow; value: number; message: Message },
): Promise<void> {
  const { db, now, emit, newId } = changing
  const muted = isMuted(alert, now)
  const channels = await channelsOf(db, alert.id)
  const incident: IncidentRow = {
    id: newId(uptimeIds.incident),
    alert_id: alert.id,
    triggered_at: now,
    resolved_at: null,
    resolution: null,
    value,
    message: storedSentence(message),
    acknowledged_at: null,
    acknowledged_by: null,
    announced_at: muted ? null : now,
  }
  await db.insertInto('alert_incidents').values(incident).execute()
  const place = { workspaceId: alert.workspace_id, siteId: alert.site_id }
  await emit(alert_triggered, { ...place, data: eventOf({ alert, incident, channels, muted }) })
  if (alert.kind === 'goal' && alert.goal_id !== null && alert.threshold !== null) {
    const { goal_id, threshold, window_minutes } = alert
    const data = { goal_id, completions: value, threshold, window_minutes }
    await emit(goal_completed_threshold, { ...place, data })
  }
  if (!muted) await announce(changing, { alert, incident, channels })
}

/** Announces the open incident to channels that were not notified of it since the alert was muted. */
export async function remind(changing: Changing, alert: AlertRow): Promise<void> {
  const { db, now } = changing
  const incident = await db
    .selectFrom('alert_incidents')
    .selectAll()
    .where('alert_id', '=', alert.id)
    .where('resolved_at', 'is', null)
    .executeTakeFirst()
  if (!incident || !isAnnounced(alert, incident.announced_at, now)) return
  await db.updateTable('alert_incidents').set({ announced_at: now }).where('id', '=', incident.id).execute()
  await announce(changing, { alert, incident, channels: await channelsOf(db, alert.id) })
}

interface ResolveOpen {
  readonly alert: AlertRow
  readonly siteId: string | null
  readonly resolution: NonNullable<IncidentRow['resolution']>
}

/**
 * Resolves the open incident, if there is one, and announces that. Channels are notified only if they were notified of its start.
 * @param alert with its new state, already ok
 * @param siteId the site it watched when the incident opened
 */
export async function resolveOpen(changing: Changing, { alert, siteId, resolution }: ResolveOpen): Promise<void> {
  const { db, now, emit } = changing
  const incident = await db
    .updateTable('alert_incidents')
    .set({ resolved_at: now, resolution })
    .where('alert_id', '=', alert.id)
    .where('resolved_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!incident) return
  const muted = isMuted(alert, now)
  const channels = await channelsOf(db, alert.id)
  await emit(alert_resolved, { workspaceId: alert.workspace_id, siteId, data: eventOf({ alert, incident, channels, muted }) })
  if (!muted && incident.announced_at !== null) await announce(changing, { alert: { ...alert, site_id: siteId }, incident, channels })
}

const isMuted = ({ muted_until }: AlertRow, now: number): boolean => muted_until !== null && muted_until > now

interface EventOf {
  readonly alert: AlertRow
  readonly incident: IncidentRow
  readonly channels: readonly string[]
  readonly muted: boolean
}

function eventOf({ alert, incident, channels, muted }: EventOf) {
  const { id, resolution } = incident
  return { alert: toAlert(alert, channels), incident: { id, ...toIncident(incident), resolution }, muted }
}
