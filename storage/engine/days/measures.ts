/** What visitors' browsers told of pages beside the hits: web vitals and clicks. Few reports look at them. */
import { firstNotBefore } from '../columns/column.ts'
import type { ClickColumns, Day, MeasuredColumns, VitalColumns } from './day.ts'

/** Finds those of one day, in the same snapshot as the day itself: of the page at least. */
export interface Measures {
  /** @param page null for all pages */
  vitals(day: Day, page: number | null): Promise<VitalColumns>
  clicks(day: Day, page: number): Promise<ClickColumns>
}

/** The groups of a page, `to` exclusive; of all pages for null. */
export function groupsOf(measured: MeasuredColumns, page: number | null): { readonly from: number; readonly to: number } {
  return page === null
    ? { from: 0, to: measured.first.length - 1 }
    : { from: firstNotBefore(measured.page, page), to: firstNotBefore(measured.page, page + 1) }
}
