/** Vitals and clicks, which browsers send in addition to hits. Few reports read them. */
import { firstNotBefore } from '../columns/column.ts'
import type { ClickColumns, Day, MeasuredColumns, VitalColumns } from './day.ts'

/** Reads them for one day, from the day's snapshot. For a page, the answer may contain other pages as well: `groupsOf`. */
export interface Measures {
  /** @param page null for all pages */
  vitals(day: Day, page: number | null): Promise<VitalColumns>
  clicks(day: Day, page: number): Promise<ClickColumns>
}

/** The groups of a page, `to` exclusive; all groups for null. */
export function groupsOf(measured: MeasuredColumns, page: number | null): { readonly from: number; readonly to: number } {
  return page === null
    ? { from: 0, to: measured.first.length - 1 }
    : { from: firstNotBefore(measured.page, page), to: firstNotBefore(measured.page, page + 1) }
}
