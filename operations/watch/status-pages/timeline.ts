/**
 * The course of incidents and maintenance. Updates move both, and the clock moves maintenance. Pure functions.
 */
import { m } from './messages.ts'
import { valueTerm } from '../../../runtime/texts/message.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { among } from '../../../runtime/table/schema.ts'
import type { StatusIncidentRow } from '../../../storage/tables/status-pages.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export const kinds = ['incident', 'maintenance'] as const
export const impacts = ['none', 'minor', 'major', 'critical'] as const
export type Kind = (typeof kinds)[number]
export type Impact = (typeof impacts)[number]

/** In order; the last status ends the incident. */
export const course = {
  incident: ['investigating', 'identified', 'monitoring', 'resolved'],
  maintenance: ['scheduled', 'in_progress', 'verifying', 'completed'],
} as const satisfies Record<Kind, readonly string[]>

export const statuses = [...course.incident, ...course.maintenance] as const
export type Status = (typeof statuses)[number]

export const ended: readonly Status[] = ['resolved', 'completed']

/** Time after its end in which an incident can be reopened. */
export const REOPEN_MS = 7 * DAY_MS

type Timed = Pick<StatusIncidentRow, 'kind' | 'status' | 'starts_at' | 'ends_at'>

/** The status at this time: maintenance begins and ends by the clock, however late the row is changed. */
export function statusAt({ kind, status, starts_at, ends_at }: Timed, now: number): Status {
  const stored = among(statuses, status)
  if (kind !== 'maintenance' || stored === 'completed') return stored
  if (ends_at !== null && ends_at <= now) return 'completed'
  return stored === 'scheduled' && starts_at <= now ? 'in_progress' : stored
}

export const isOver = (incident: Timed, now: number): boolean => ended.includes(statusAt(incident, now))

/** The time at which the clock next changes the status; null if it does not. */
export function nextChange(incident: Timed, now: number): number | null {
  const status = statusAt(incident, now)
  if (incident.kind !== 'maintenance' || status === 'completed') return null
  return status === 'scheduled' ? incident.starts_at : incident.ends_at
}

/**
 * The columns that an update with this status changes.
 * @throws Failure `invalid_state` if it cannot follow the current status
 */
export function proceed(incident: Timed, to: Status, now: number): Pick<StatusIncidentRow, 'status' | 'starts_at' | 'ends_at'> {
  const kind = among(kinds, incident.kind)
  const from = statusAt(incident, now)
  const order: readonly Status[] = course[kind]
  const { starts_at, ends_at } = incident
  if (!order.includes(to))
    fail('invalid_state', m.not_a_status({ kind: valueTerm(kind), values: order.map(valueTerm), received: valueTerm(to) }))
  if (to === from) return { status: to, starts_at, ends_at }
  if (kind === 'incident') {
    if (from === 'resolved' && now - (ends_at ?? now) > REOPEN_MS) fail('invalid_state', m.reopened_too_late())
    return { status: to, starts_at, ends_at: to === 'resolved' ? Math.max(now, starts_at) : null }
  }
  if (order.indexOf(to) < order.indexOf(from)) fail('invalid_state', m.maintenance_goes_on({ from: valueTerm(from), to: valueTerm(to) }))
  return { status: to, starts_at: Math.min(starts_at, now), ends_at: to === 'completed' ? now : ends_at }
}
