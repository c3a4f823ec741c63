/** The message sent to channels about an alert: its kind, its start, the value against the threshold, and a link. */
import { Temporal } from 'temporal-polyfill'
import type { AlertRow, IncidentRow } from '../../../storage/tables/index.ts'
import type { Db } from '../../../storage/store.ts'
import { type Message, notify, type Queueing } from '../channels/index.ts'
import { factOf, minutes } from './measures/wording.ts'
import { toAlert, toIncident } from './records.ts'

export type Announcing = Queueing & { readonly baseUrl: string }

const endings: Readonly<Record<NonNullable<IncidentRow['resolution']>, string>> = {
  recovered: 'It recovered.',
  rule_changed: 'What the alert watches was changed.',
  disabled: 'The alert was disabled.',
  deleted: 'The alert was deleted.',
}

/** Tells the alert's channels that an incident is open, or that it was resolved. */
export async function announce(announcing: Announcing, alert: AlertRow, incident: IncidentRow, channels: readonly string[]): Promise<void> {
  if (channels.length === 0) return
  const place = await placeOf(announcing.db, alert)
  await notify(announcing, channels, compose(alert, incident, channels, place, announcing.baseUrl))
}

interface Place {
  readonly site: string | null
  readonly zone: string
}

async function placeOf(db: Db, { site_id }: AlertRow): Promise<Place> {
  const site =
    site_id === null
      ? undefined
      : await db.selectFrom('sites').select(['name', 'domain', 'timezone']).where('id', '=', site_id).executeTakeFirst()
  if (!site) return { site: null, zone: 'UTC' }
  const { name, domain, timezone } = site
  return { site: domain === null || domain === name ? name : `${name} (${domain})`, zone: timezone }
}

function compose(alert: AlertRow, incident: IncidentRow, channels: readonly string[], { site, zone }: Place, baseUrl: string): Message {
  const { triggered_at, resolved_at, resolution, message, value, acknowledged_by } = incident
  const open = resolved_at === null
  const happened = message ?? 'The condition was met'
  const text = open ? `${happened}.` : `${endings[resolution ?? 'recovered']} It was: ${happened}.`
  const fact = factOf(alert, value ?? 0)
  const facts: [label: string, value: string | null][] = [
    ['Site', site],
    ['Since', timeIn(zone, triggered_at)],
    ['Until', resolved_at === null ? null : `${timeIn(zone, resolved_at)}, ${lasted(resolved_at - triggered_at)}`],
    ...(value === null ? [] : [[fact.label, fact.value] as [string, string]]),
    ['Acknowledged by', acknowledged_by],
  ]
  return {
    type: open ? 'alert.triggered' : 'alert.resolved',
    title: `${open ? 'Triggered' : 'Resolved'}: ${alert.name}`,
    text,
    facts: facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }])),
    url: `${baseUrl}/alerts/${alert.id}`,
    thread: incident.id,
    data: { alert: toAlert(alert, channels), incident: { id: incident.id, ...toIncident(incident), resolution } },
  }
}

/** `2026-03-10 13:05 (Europe/Berlin)` */
function timeIn(zone: string, at: number): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime()
  return `${local.toString({ smallestUnit: 'minute' }).replace('T', ' ')} (${zone})`
}

const lasted = (ms: number): string => `after ${minutes(Math.max(1, Math.round(ms / 60_000)))}`
