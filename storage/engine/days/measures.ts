/** What visitors' browsers told of pages beside the hits: web vitals and clicks. Few reports look at them. */
import { firstNotBefore } from '../columns/column.ts'
import type { Column, Day } from './day.ts'

/**
 * Those of a day. What is alike stands together, a group each; the groups come in the order of their pages, so that
 * those of one page are found at once.
 */
interface Measured {
  /** How many there are, in all groups. */
  readonly count: number
  /** Of each group. */
  readonly page: Column
  /** Those of group g are those from `first[g]` to before `first[g + 1]`. */
  readonly first: Uint32Array
  /**
   * Of each one: number of the visitor · 256 + number of the visit, or 0. They carry no time, only the visit they
   * belong to.
   */
  readonly visit: Column
}
export interface Vitals extends Measured {
  /** Of each group: place in `vitalNames`. */
  readonly metric: Column
  readonly device: Column
  /** Of each one: ms; thousandths of the score for cls. */
  readonly value: Column
}
export interface Clicks extends Measured {
  /** Of each group. */
  readonly selector: Column
  /** Of each one: ten-thousandths of the page's width. */
  readonly x: Column
  /** Pixels from the top of the page. */
  readonly y: Column
}

/** Finds those of one day, in the same moment as the day itself: of the page at least. */
export interface Measures {
  /** @param page null for all pages */
  vitals(day: Day, page: number | null): Promise<Vitals>
  clicks(day: Day, page: number): Promise<Clicks>
}

/** The groups of a page, `to` exclusive; of all pages for null. */
export function groupsOf(measured: Measured, page: number | null): { readonly from: number; readonly to: number } {
  return page === null
    ? { from: 0, to: measured.first.length - 1 }
    : { from: firstNotBefore(measured.page, page), to: firstNotBefore(measured.page, page + 1) }
}
