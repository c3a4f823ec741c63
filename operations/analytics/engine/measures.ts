/** What visitors' browsers told of pages beside the hits: web vitals and clicks. Few reports look at them. */
import type { Column } from './day.ts'
import type { Cut } from './spans.ts'

/** They carry no time, only the visit they belong to: number of the visitor · 256 + number of the visit, or 0. */
interface Measured {
  readonly count: number
  readonly visit: Column
}
export interface Vitals extends Measured {
  /** Place in `vitalNames`. */
  readonly metric: Column
  /** Ms; thousandths of the score for cls. */
  readonly value: Column
  readonly device: Column
}
export interface Clicks extends Measured {
  readonly selector: Column
  /** Ten-thousandths of the page's width. */
  readonly x: Column
  /** Pixels from the top of the page. */
  readonly y: Column
}

/** Finds those of one day, in the same moment as the day itself. */
export interface Measures {
  /** @param page null for all pages */
  vitals(day: Cut, page: number | null): Promise<Vitals>
  clicks(day: Cut, page: number): Promise<Clicks>
}
