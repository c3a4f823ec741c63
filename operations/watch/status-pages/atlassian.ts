/**
 * Status in the format of Atlassian Statuspage's public API, version 2 (developer.statuspage.io, and `/api` of any page).
 * Existing clients need only another address.
 */
import type { Config } from '../../../runtime/settings/config.ts'
import { iso } from '../../../runtime/table/schema.ts'
import { addressOf, incidentPath } from './records.ts'
import type { Condition, Shown, ShownCheck, ShownIncident } from './status.ts'

type Base = Pick<Config, 'BASE_URL'>

const indicators = {
  operational: ['none', 'All Systems Operational'],
  unknown: ['none', 'No Data Yet'],
  degraded_performance: ['minor', 'Partially Degraded Service'],
  partial_outage: ['major', 'Partial System Outage'],
  major_outage: ['critical', 'Major System Outage'],
  under_maintenance: ['maintenance', 'Service Under Maintenance'],
} as const satisfies Record<Condition, readonly [string, string]>

export function statusForm(shown: Shown, config: Base) {
  const { page, condition } = shown
  const [indicator, description] = indicators[condition]
  return {
    page: {
      id: page.id,
      name: page.name,
      url: addressOf(page, config),
      time_zone: page.timezone === 'UTC' ? 'Etc/UTC' : page.timezone,
      updated_at: iso(updatedAt(shown)),
    },
    status: { indicator, description },
  }
}

export function summaryForm(shown: Shown, config: Base) {
  const all = shown.groups.flatMap(({ checks }) => checks)
  const components = shown.groups.flatMap((group, at) => {
    const id = `${shown.page.id}-${group.position}`
    const own = group.checks.map((check, i) => component(shown, check, { position: i + 1, group: id }))
    return [
      { ...groupComponent(shown, { name: group.name, id, position: at + 1 }), components: group.checks.map(check => check.id) },
      ...own,
    ]
  })
  const incident = (each: ShownIncident) => incidentForm({ shown, each, all }, config)
  return {
    ...statusForm(shown, config),
    components,
    incidents: shown.incidents.map(incident),
    scheduled_maintenances: shown.maintenance.map(each => ({
      ...incident(each),
      impact: 'maintenance',
      scheduled_for: iso(each.row.starts_at),
      scheduled_until: iso(each.row.ends_at),
    })),
  }
}

function component({ page }: Shown, check: ShownCheck, { position, group }: { position: number; group: string }) {
  return {
    id: check.id,
    name: check.name,
    status: check.condition === 'unknown' ? 'operational' : check.condition, // Statuspage has no state for it
    created_at: iso(check.createdAt),
    updated_at: iso(check.changedAt),
    position,
    description: null,
    showcase: true,
    start_date: iso(check.createdAt).slice(0, 10),
    group_id: group,
    page_id: page.id,
    group: false,
    only_show_if_degraded: false,
  }
}

function groupComponent({ page, groups }: Shown, { name, id, position }: { name: string; id: string; position: number }) {
  const checks = groups.find(group => group.name === name && id.endsWith(`-${group.position}`))?.checks ?? []
  const order = ['major_outage', 'partial_outage', 'degraded_performance', 'under_maintenance'] as const
  return {
    id,
    name,
    status: order.find(condition => checks.some(check => check.condition === condition)) ?? 'operational',
    created_at: iso(page.created_at),
    updated_at: iso(page.updated_at),
    position,
    description: null,
    showcase: false,
    start_date: null,
    group_id: null,
    page_id: page.id,
    group: true,
    only_show_if_degraded: false,
  }
}

function incidentForm(
  { shown, each: { row, status, updates, checks }, all }: { shown: Shown; each: ShownIncident; all: readonly ShownCheck[] },
  { BASE_URL }: Base,
) {
  const { page, groups } = shown
  const timeOf = (name: string) => updates.findLast(update => update.status === name)?.created_at ?? null
  const affected = all.filter(check => checks.some(({ id }) => id === check.id))
  return {
    id: row.id,
    name: row.title,
    status,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    monitoring_at: iso(timeOf('monitoring')),
    resolved_at: row.kind === 'incident' ? iso(row.ends_at) : iso(timeOf('completed')),
    impact: row.impact,
    shortlink: BASE_URL + incidentPath(page, row.id),
    started_at: iso(row.starts_at),
    page_id: page.id,
    incident_updates: updates.map(update => ({
      id: update.id,
      status: update.status,
      body: update.body,
      incident_id: row.id,
      created_at: iso(update.created_at),
      updated_at: iso(update.created_at),
      display_at: iso(update.created_at),
      affected_components: affected.map(({ id, name, condition }) => ({ code: id, name, old_status: condition, new_status: condition })),
      deliver_notifications: update.notify === 1,
      custom_tweet: null,
      tweet_id: null,
    })),
    components: affected.map((check, i) => {
      const group = groups.find(each => each.checks.includes(check))
      return component(shown, check, { position: i + 1, group: `${page.id}-${group?.position ?? 0}` })
    }),
    reminder_intervals: null,
  }
}

/** Time of the last change to anything on the page. */
export function updatedAt({ page, groups, incidents, maintenance, past }: Shown): number {
  return Math.max(
    page.updated_at,
    ...groups.flatMap(({ checks }) => checks.map(({ changedAt }) => changedAt)),
    ...[...incidents, ...maintenance, ...past].map(({ row }) => row.updated_at),
  )
}
