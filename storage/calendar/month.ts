/** Limits count by calendar month in UTC; a site's day belongs to the month of its date. */
import { DAY_MS } from '../values/durations.ts'

export interface Month {
  /** `2026-11` */
  readonly name: string
  /** Days by number, both inclusive. */
  readonly fromDay: number
  readonly toDay: number
}

export function monthOf(now: number): Month {
  const date = new Date(now)
  const start = (by: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + by) / DAY_MS
  return { name: date.toISOString().slice(0, 7), fromDay: start(0), toDay: start(1) - 1 }
}
