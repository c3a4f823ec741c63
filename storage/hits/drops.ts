/** Hits that are not stored, counted by site, day and reason. */
import type { Store, Trx } from '../store.ts'
import type { DropRow } from '../tables/index.ts'
import { localDay } from '../zones.ts'
import { insertInto, int, text } from './statements.ts'

/** Counts in memory until the next transaction. */
export interface DropCounter {
  /** @param site 0 if unknown */
  count(site: number, zone: string, reason: string, at: number): void
  /** Removes and returns the counts; `add` them again if they could not be written. */
  take(): readonly DropRow[]
  add(rows: readonly DropRow[]): void
}

export function dropCounter(counted: readonly DropRow[] = []): DropCounter {
  let counts = new Map<string, DropRow>()

  function add(rows: readonly DropRow[]): void {
    for (const row of rows) {
      const key = `${row.site_id} ${row.day} ${row.reason}`
      counts.set(key, { ...row, count: row.count + (counts.get(key)?.count ?? 0) })
    }
  }

  add(counted)
  return Object.freeze<DropCounter>({
    count: (site, zone, reason, at) => add([{ site_id: site, day: localDay(zone, at).day, reason, count: 1 }]),
    take() {
      const rows = [...counts.values()]
      counts = new Map()
      return rows
    },
    add,
  })
}

/** Rows are written in a fixed order, so that concurrent processes cannot deadlock. */
export function dropWriter(store: Store): (trx: Trx, rows: readonly DropRow[]) => Promise<unknown> {
  const put = insertInto<DropRow, 'drops'>(
    store,
    'drops',
    {
      site_id: int(row => row.site_id),
      day: int(row => row.day),
      reason: text(row => row.reason),
      count: int(row => row.count),
    },
    'on conflict (site_id, day, reason) do update set count = drops.count + excluded.count',
  )
  return (trx, rows) => put(rows.toSorted(inOrder))(trx)
}

const inOrder = (a: DropRow, b: DropRow): number => a.site_id - b.site_id || a.day - b.day || (a.reason < b.reason ? -1 : 1)
