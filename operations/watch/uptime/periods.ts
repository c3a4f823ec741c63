/** In which state a check was, and since when. */
import type { Db } from '../../../storage/store.ts'
import { type Period, windows } from '../../reports/availability/index.ts'

/** From here on the check is in this state. What was said of it from then on before is taken back. */
export async function beginPeriod(db: Db, check_number: number, { started_at, status }: Period): Promise<void> {
  await db.deleteFrom('uptime_periods').where('check_number', '=', check_number).where('started_at', '>=', started_at).execute()
  await db.insertInto('uptime_periods').values({ check_number, started_at, status }).execute()
}

/** Periods that ended before this say nothing any more. */
export function periodsNeededFrom(now: number): number {
  return now - windows['30d']
}
