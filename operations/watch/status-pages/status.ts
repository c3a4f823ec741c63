/** Reads everything that a status page shows. */
import { among } from '../../../runtime/table/schema.ts'
import type { Db } from '../../../storage/store.ts'
import type { StatusIncidentRow, StatusIncidentUpdateRow, StatusPageRow } from '../../../storage/tables/status-pages.ts'
import { maintenanceSince } from '../../reports/availability/index.ts'
import { dayOf, hourlyAverages, maintenanceAt, recentDays } from '../uptime/index.ts'
import { hostName } from './address.ts'
import { labelOf } from './label.ts'
import { type Impact, impacts, isOver, statusAt } from './timeline.ts'
import { updatesOf } from './updates.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

/** Worst first. A check is `unknown` if it is paused or has no result yet. */
export const conditions = ['major_outage', 'partial_outage', 'degraded_performance', 'under_maintenance', 'operational', 'unknown'] as const
export type Condition = (typeof conditions)[number]

export const DAYS = 90
/** Ended incidents that are shown: the latest of those that began in this many days. */
const PAST_DAYS = 90
const MAX_PAST = 25
const MAX_OPEN = 50
/** Characters of all updates that the page, its feed and its summary show. The page of an incident shows all of its own. */
const MAX_CHARACTERS = 200_000

export interface Day {
  /** Days since 1970-01-01, UTC. */
  readonly day: number
  readonly up_ms: number
  readonly down_ms: number
}

export interface ShownCheck {
  readonly id: string
  readonly number: number
  readonly name: string
  readonly condition: Condition
  readonly createdAt: number
  readonly changedAt: number
  /** The last 90 days, oldest first; null for days without data. */
  readonly days: readonly (Day | null)[]
  /** By hour, oldest first; empty if the page does not show them. */
  readonly responseMs: readonly (number | null)[]
}

export interface ShownGroup {
  readonly name: string
  readonly position: number
  readonly checks: readonly ShownCheck[]
}

export interface ShownIncident {
  readonly row: StatusIncidentRow
  readonly status: ReturnType<typeof statusAt>
  /** Newest first. */
  readonly updates: readonly StatusIncidentUpdateRow[]
  /** Number of all updates, including the ones that `updates` leaves out. */
  readonly updatesInAll: number
  /** Affected checks that the page shows. */
  readonly checks: readonly { readonly id: string; readonly name: string }[]
}

export interface Shown {
  readonly page: StatusPageRow
  readonly condition: Condition
  readonly groups: readonly ShownGroup[]
  /** Incidents that have not ended, the latest first. */
  readonly incidents: readonly ShownIncident[]
  /** Current and planned, the earliest first. */
  readonly maintenance: readonly ShownIncident[]
  readonly past: readonly ShownIncident[]
  readonly at: number
}

export async function pageBySlug(db: Db, slug: string): Promise<StatusPageRow | undefined> {
  if (!/^[a-z0-9-]{1,64}$/.test(slug)) return undefined
  return db.selectFrom('status_pages').selectAll().where('slug', '=', slug).executeTakeFirst()
}

/** The path parameters of the page that this host serves. */
export async function pageAtHost(host: string, db: Db): Promise<{ slug: string } | undefined> {
  const name = hostName(host.replace(/:\d{1,5}$/, ''))
  return name === undefined ? undefined : db.selectFrom('status_pages').select('slug').where('domain', '=', name).executeTakeFirst()
}

/** @param now epoch ms */
export async function readStatus(db: Db, page: StatusPageRow, now: number): Promise<Shown> {
  const checks = await db
    .selectFrom('status_page_checks as p')
    .innerJoin('uptime_checks as c', 'c.number', 'p.check_number')
    .select(['p.group_position', 'p.label', 'c.id', 'c.number', 'c.name', 'c.url', 'c.host', 'c.status', 'c.status_since', 'c.created_at'])
    .where('p.page_id', '=', page.id)
    .where('c.workspace_id', '=', page.workspace_id)
    .where('c.public', '=', 1)
    .orderBy('p.position')
    .execute()
  const groups = await db.selectFrom('status_page_groups').selectAll().where('page_id', '=', page.id).orderBy('position').execute()
  const numbers = checks.map(({ number }) => number)
  const daysOf = await recentDays(db, numbers, now)
  const maintenanceOf = await maintenanceSince(db, numbers, now)
  const responses = page.show_response_times === 1 ? await hourlyAverages(db, numbers, now) : new Map<number, (number | null)[]>()
  const all = await incidentsOf(db, {
    page,
    shown: new Map(checks.map(check => [check.number, { id: check.id, name: labelOf(check) }])),
    now,
  })
  const incidents = all.filter(({ row }) => row.kind === 'incident' && !isOver(row, now))
  const maintenance = all.filter(({ row }) => row.kind === 'maintenance' && !isOver(row, now))

  const shown = new Map(
    checks.map(check => {
      const affected = incidents
        .filter(incident => incident.checks.some(({ id }) => id === check.id))
        .map(({ row }) => among(impacts, row.impact))
      const isMaintained = maintenanceAt(maintenanceOf(check.number), now) !== undefined
      const days = new Map((daysOf.get(check.number) ?? []).map(day => [day.day, day]))
      return [
        check.number,
        {
          id: check.id,
          number: check.number,
          name: labelOf(check),
          condition: isMaintained
            ? ('under_maintenance' as const)
            : worst([ofCheck[check.status], ...affected.map(impact => ofImpact[impact])]),
          createdAt: check.created_at,
          changedAt: check.status_since,
          days: Array.from({ length: DAYS }, (_, i) => {
            const day = days.get(dayOf(now) - DAYS + 1 + i)
            return day && day.up_ms + day.down_ms > 0 ? day : null
          }),
          responseMs: responses.get(check.number) ?? [],
        },
      ]
    }),
  )
  return {
    page,
    condition: overall(
      [...shown.values()].map(({ condition }) => condition),
      incidents.map(({ row }) => among(impacts, row.impact)),
      maintenance.some(({ status }) => status !== 'scheduled'),
    ),
    groups: groups
      .map(({ name, position }) => ({
        name,
        position,
        checks: checks.filter(check => check.group_position === position).flatMap(({ number }) => shown.get(number) ?? []),
      }))
      .filter(group => group.checks.length > 0),
    incidents,
    maintenance: maintenance.toReversed(),
    past: all.filter(({ row }) => isOver(row, now)).slice(0, MAX_PAST),
    at: now,
  }
}

const ofCheck = { up: 'operational', down: 'major_outage', pending: 'unknown', paused: 'unknown' } as const
const ofImpact: Readonly<Record<Impact, Condition>> = {
  none: 'operational',
  minor: 'degraded_performance',
  major: 'partial_outage',
  critical: 'major_outage',
}

export const worst = (all: readonly Condition[]): Condition => conditions.find(condition => all.includes(condition)) ?? 'unknown'

/** The status of the whole page: if some checks are down, it is a partial outage; if all are, a major one. */
export function overall(checks: readonly Condition[], open: readonly Impact[], isMaintained: boolean): Condition {
  const known = checks.filter(condition => condition !== 'unknown')
  if ((known.length > 0 && known.every(condition => condition === 'major_outage')) || open.includes('critical')) return 'major_outage'
  const all = [
    ...known.map(condition => (condition === 'major_outage' ? 'partial_outage' : condition)),
    ...open.map(impact => ofImpact[impact]),
  ]
  return worst([...all, ...(isMaintained ? (['under_maintenance'] as const) : [])])
}

interface IncidentsOf {
  readonly page: StatusPageRow
  readonly shown: ReadonlyMap<number, { readonly id: string; readonly name: string }>
  readonly now: number
}

/** Incidents of a page, latest first: all that have not ended, and ended ones of the last 90 days. */
async function incidentsOf(db: Db, { page: { id }, shown, now }: IncidentsOf): Promise<ShownIncident[]> {
  const ofPage = () =>
    db.selectFrom('status_incidents').selectAll().where('page_id', '=', id).orderBy('starts_at', 'desc').orderBy('id', 'desc')
  const open = await ofPage().where('status', 'not in', ['resolved', 'completed']).limit(MAX_OPEN).execute()
  const over = await ofPage()
    .where('status', 'in', ['resolved', 'completed'])
    .where('starts_at', '>', now - PAST_DAYS * DAY_MS)
    .limit(MAX_PAST)
    .execute()
  const all = await withDetails(db, { rows: [...open, ...over], shown, now })
  return withinLimit(all, now).sort((a, b) => b.row.starts_at - a.row.starts_at)
}

/** Leaves out updates beyond the limit. Past incidents lose theirs first, and each incident its oldest. */
function withinLimit(incidents: readonly ShownIncident[], now: number): ShownIncident[] {
  const byImportance = incidents
    .flatMap(({ row, updates }) => updates.map((update, age) => ({ update, age, isPast: isOver(row, now) })))
    .sort((a, b) => Number(a.isPast) - Number(b.isPast) || a.age - b.age)
  let left = MAX_CHARACTERS
  const kept = new Set(byImportance.filter(({ update }) => (left -= update.body.length) >= 0).map(({ update }) => update))
  return incidents.map(incident => ({ ...incident, updates: incident.updates.filter(update => kept.has(update)) }))
}

interface WithDetails {
  readonly rows: readonly StatusIncidentRow[]
  readonly shown: ReadonlyMap<number, { readonly id: string; readonly name: string }>
  readonly now: number
}

export async function withDetails(db: Db, { rows, shown, now }: WithDetails): Promise<ShownIncident[]> {
  const ids = rows.map(({ id }) => id)
  const updates = await updatesOf(db, ids)
  const checks =
    ids.length === 0
      ? []
      : await db.selectFrom('status_incident_checks').selectAll().where('incident_id', 'in', ids).orderBy('check_number').execute()
  return rows.map(row => ({
    row,
    status: statusAt(row, now),
    updates: updates(row.id),
    updatesInAll: Number(updates(row.id)[0]?.in_all ?? 0),
    checks: checks.filter(({ incident_id }) => incident_id === row.id).flatMap(({ check_number }) => shown.get(check_number) ?? []),
  }))
}

/** Public checks of a page, by number, for its incidents. */
export async function namesOf(db: Db, pageId: string): Promise<Map<number, { id: string; name: string }>> {
  const rows = await db
    .selectFrom('status_page_checks as p')
    .innerJoin('uptime_checks as c', 'c.number', 'p.check_number')
    .innerJoin('status_pages as s', 's.id', 'p.page_id')
    .select(['p.label', 'c.id', 'c.number', 'c.name', 'c.url', 'c.host'])
    .where('p.page_id', '=', pageId)
    .whereRef('c.workspace_id', '=', 's.workspace_id')
    .where('c.public', '=', 1)
    .execute()
  return new Map(rows.map(row => [row.number, { id: row.id, name: labelOf(row) }]))
}
