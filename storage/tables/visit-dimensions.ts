import { type Column, int, withDefault } from '../schema/column.ts'

/**
 * The dimensions of a visit, each a column of ids in `visits`: the number of its dictionary (`dict.dim`), and of its
 * column in a sealed day (`segment_cols.col`). Both numbers are stored: add rows, but never renumber them.
 */
export const visitDimensionNumbers = Object.freeze({
  entry_page: { dictionary: 1, column: 20 },
  exit_page: { dictionary: 1, column: 21 },
  channel: { dictionary: 5, column: 22 },
  source: { dictionary: 6, column: 23 },
  referrer: { dictionary: 7, column: 24 },
  utm_source: { dictionary: 8, column: 25 },
  utm_medium: { dictionary: 9, column: 26 },
  utm_campaign: { dictionary: 10, column: 27 },
  utm_content: { dictionary: 11, column: 28 },
  utm_term: { dictionary: 12, column: 29 },
  country: { dictionary: 13, column: 30 },
  region: { dictionary: 14, column: 31 },
  city: { dictionary: 15, column: 32 },
  browser: { dictionary: 16, column: 33 },
  browser_version: { dictionary: 17, column: 34 },
  os: { dictionary: 18, column: 35 },
  os_version: { dictionary: 19, column: 36 },
  device: { dictionary: 20, column: 37 },
  screen: { dictionary: 21, column: 38 },
  language: { dictionary: 22, column: 39 },
  hostname: { dictionary: 23, column: 40 },
  custom_channel: { dictionary: 24, column: 41 },
  network: { dictionary: 25, column: 42 },
  network_kind: { dictionary: 26, column: 43 },
})

export type VisitDimension = keyof typeof visitDimensionNumbers
export const visitDimensions = Object.keys(visitDimensionNumbers) as readonly VisitDimension[] // a literal's own keys

/** The last column number of the first release. The columns of later dimensions were added to tables with rows. */
const LAST_OF_FIRST_RELEASE = 40

/** The columns of `visits` that the dimensions are. Visits from before a dimension have no value, which is 0. */
export const visitDimensionColumns = Object.fromEntries(
  visitDimensions.map(name => [name, visitDimensionNumbers[name].column > LAST_OF_FIRST_RELEASE ? withDefault(int, 0) : int]),
) as Record<VisitDimension, Column<number, false>> // one for each; hits are written with all of them
