/**
 * The columns a sealed day consists of, and the sums it keeps. The numbers are stored: a row is added, never
 * renumbered. With a new one, `FORMAT` moves on and a migration sets `sealed_rev` to -1: days are read from their rows
 * until they are sealed again.
 */
import { type VisitDimension, visitDimensions } from '../../tables/index.ts'
import type { Clicks, Day, SumsName, Vitals } from './day.ts'

export const FORMAT = 2

/** A day with all that is sealed of it. */
export interface WholeDay extends Day {
  readonly vitals: Vitals
  readonly clicks: Clicks
}
export type DayParts = Pick<WholeDay, 'visits' | 'hits' | 'props' | 'vitals' | 'clicks'>
export type PartName = keyof DayParts
export type ColumnsOf<Part> = { [Name in keyof Part]: Part[Name] extends number ? never : Name }[keyof Part]

export const columnNumbers: { readonly [P in PartName]: Readonly<Record<ColumnsOf<DayParts[P]>, number>> } = {
  visits: {
    visitor: 1, number: 2, firstHit: 3, pageviews: 4, bounce: 5, duration: 6, revenue: 7,
    entry_page: 20, exit_page: 21, channel: 22, source: 23, referrer: 24, utm_source: 25, utm_medium: 26,
    utm_campaign: 27, utm_content: 28, utm_term: 29, country: 30, region: 31, city: 32, browser: 33,
    browser_version: 34, os: 35, os_version: 36, device: 37, screen: 38, language: 39, hostname: 40,
  },
  hits: { at: 60, page: 61, event: 62, revenue: 63, engaged: 64, scroll: 65 },
  props: { hit: 80, key: 81, value: 82 },
  vitals: { page: 90, metric: 91, device: 92, first: 93, value: 94, visit: 95 },
  clicks: { page: 100, selector: 101, first: 102, x: 103, y: 104, visit: 105 },
}

/** Columns that never fall: the steps between their numbers are kept, which are small. */
export const rising: ReadonlySet<number> = new Set([
  columnNumbers.visits.visitor, columnNumbers.visits.firstHit, columnNumbers.props.hit,
  columnNumbers.vitals.page, columnNumbers.vitals.first, columnNumbers.clicks.page, columnNumbers.clicks.first,
])

const ofVisits = Object.fromEntries(visitDimensions.map(name => [name, columnNumbers.visits[name]]))
export const sumsNumbers: Readonly<Record<SumsName, number>> = {
  ...ofVisits as Record<VisitDimension, number>, // one entry a dimension
  page: columnNumbers.hits.page, event: columnNumbers.hits.event, hour: columnNumbers.hits.at,
}
