/** Periods of a check: its states, each with its start. */
import type { Db } from '../../../storage/store.ts'
import { type Period, windows } from '../../reports/availability/index.ts'

/** Begins a period of this state. Later periods, recorded before, are deleted. */
export async function beginPeriod(db: Db, check_number: number, { started_at, status }: Period): Promise<void> {
  await db.deleteFrom('uptime_periods').where('check_number', '=', check_number).where('started_at', '>=', started_at).execute()
  await db.insertInto('uptime_periods').values({ check_number, started_at, status }).execute()
}

/** Periods that ended before this time are no longer needed. */
export function periodsNeededFrom(now: number): number {
  return now - windows['30d']
}
