/** Tables of rows by day: written by exports and warehouse syncs. */
import type { Store } from '../../../storage/store.ts'
import type { SiteDay } from './day-rows.ts'
import { crawlerColumns, crawlerRowsOf } from './crawlers.ts'
import { hitColumns, hitsOf } from './hits.ts'
import { visitColumns, visitRowsOf } from './visits.ts'
import type { Cells, Column } from './row-writer.ts'

export const tableNames = ['hits', 'visits', 'crawlers'] as const
export type TableName = (typeof tableNames)[number]

export interface DayTable {
  readonly columns: readonly Column[]
  /** The rows of a day, a few at a time. */
  rowsOf(store: Store, of: SiteDay): AsyncIterable<readonly Cells[]>
}

export const tables: Readonly<Record<TableName, DayTable>> = {
  hits: { columns: hitColumns, rowsOf: hitsOf },
  visits: { columns: visitColumns, rowsOf: visitRowsOf },
  crawlers: { columns: crawlerColumns, rowsOf: crawlerRowsOf },
}
