/** The message sent to channels about an alert: its kind, its start, the value against the threshold, and a link. */
import { Temporal } from 'temporal-polyfill'
import { type Sentence, sentenceOf } from '../../../runtime/texts/message.ts'
import type { AlertRow, IncidentRow } from '../../../storage/tables/index.ts'
import type { Db } from '../../../storage/store.ts'
import { type Message, notify, type Queueing } from '../channels/index.ts'
import { m } from './messages.ts'
import { factOf, minutes } from './measures/wording.ts'
import { toAlert, toIncident } from './records.ts'

export type Announcing = Queueing & { readonly baseUrl: string }

const endings = {
  recovered: m.recovered,
  rule_changed: m.rule_changed,
  disabled: m.disabled,
  deleted: m.deleted,
} as const satisfies Readonly<Record<NonNullable<IncidentRow['resolution']>, unknown>>

/** Notifies the alert's channels that an incident is open, or that it was resolved. */
export async function announce(
  announcing: Announcing,
  { alert, incident, channels }: { alert: AlertRow; incident: IncidentRow; channels: readonly string[] },
): Promise<void> {
  if (channels.length === 0) return
  const place = await placeOf(announcing.db, alert)
  await notify(announcing, channels, compose({ alert, incident, channels, place, baseUrl: announcing.baseUrl }))
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

interface Announced {
  readonly alert: AlertRow
  readonly incident: IncidentRow
  readonly channels: readonly string[]
  readonly place: Place
  readonly baseUrl: string
}

function compose({ alert, incident, channels, place: { site, zone }, baseUrl }: Announced): Message {
  const { triggered_at, resolved_at, resolution, message, value, acknowledged_by } = incident
  const open = resolved_at === null
  const happened = message === null ? m.condition_met() : sentenceOf(message)
  const fact = factOf(alert, value ?? 0)
  const until = resolved_at === null ? null : m.until_after({ time: timeIn(zone, resolved_at), span: spanOf(resolved_at - triggered_at) })
  const facts: [label: Sentence, value: Sentence | null][] = [
    [m.site(), site],
    [m.since(), timeIn(zone, triggered_at)],
    [m.until(), until],
    [fact.label, value === null ? null : fact.value],
    [m.acknowledged_by(), acknowledged_by],
  ]
  return {
    type: open ? 'alert.triggered' : 'alert.resolved',
    title: (open ? m.triggered : m.resolved)({ name: alert.name }),
    text: (open ? m.opened : endings[resolution ?? 'recovered'])({ happened }),
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

const spanOf = (ms: number) => minutes(Math.max(1, Math.round(ms / 60_000)))
