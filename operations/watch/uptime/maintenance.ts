/**
 * Planned maintenance of the targets of checks. In maintenance, a check that goes down opens no incident and does not
 * count for availability, but is still probed. Results from before the maintenance was planned stay counted.
 */
import type { Db } from '../../../storage/store.ts'
import type { Maintenance } from '../../reports/availability/index.ts'

interface Plan extends Maintenance {
  /** Id of the record that plans the maintenance. */
  readonly plannedBy: string
  /** Numbers of the checks; empty to cancel the plan. */
  readonly checks: readonly number[]
}

/** Replaces this record's plan from now on; maintenance in the past stays. */
export async function planMaintenance(db: Db, { plannedBy, checks, starts_at, ends_at }: Plan, now: number): Promise<void> {
  await db.deleteFrom('uptime_maintenance').where('planned_by', '=', plannedBy).where('starts_at', '>=', now).execute()
  await db.updateTable('uptime_maintenance').set({ ends_at: now }).where('planned_by', '=', plannedBy).where('ends_at', '>', now).execute()
  if (checks.length === 0 || ends_at <= Math.max(starts_at, now)) return
  await db
    .insertInto('uptime_maintenance')
    .values(checks.map(check_number => ({ planned_by: plannedBy, check_number, starts_at: Math.max(starts_at, now), ends_at })))
    .execute()
}

/** The start of the maintenance in progress at this time; undefined if there is none. */
export function maintenanceAt(all: readonly Maintenance[], at: number): number | undefined {
  const going = all.filter(({ starts_at, ends_at }) => starts_at <= at && at < ends_at)
  return going.length === 0 ? undefined : Math.min(...going.map(({ starts_at }) => starts_at))
}

/** The end of the latest maintenance before this time; 0 if there was none. */
export function maintenanceEnded(all: readonly Maintenance[], at: number): number {
  return Math.max(0, ...all.filter(({ ends_at }) => ends_at <= at).map(({ ends_at }) => ends_at))
}
