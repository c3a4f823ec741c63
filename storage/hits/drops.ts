/** Counts the hits that are not stored, by site, day and reason. */
import type { Store, Trx } from '../store.ts'
import type { DropRow } from '../tables/index.ts'
import { localDay } from '../calendar/zones.ts'
import { insertInto, int, text } from '../sql/row-statements.ts'

/** Counts in memory until the next transaction. */
export interface DropCounter {
  /** @param site 0 if unknown */
  count(site: number, zone: string, reason: string, at: number): void
  /**
   * Removes and returns the counts, of these sites or of all; `add` them again if they could not be written.
   */
  take(sites?: ReadonlySet<number>): readonly DropRow[]
  add(rows: readonly DropRow[]): void
}

export function dropCounter(): DropCounter {
  const counts = new Map<string, DropRow>()

  function add(rows: readonly DropRow[]): void {
    for (const row of rows) {
      const key = `${row.site_id} ${row.day} ${row.reason}`
      counts.set(key, { ...row, count: row.count + (counts.get(key)?.count ?? 0) })
    }
  }

  return Object.freeze<DropCounter>({
    count: (site, zone, reason, at) => add([{ site_id: site, day: localDay(zone, at).day, reason, count: 1 }]),
    take(sites) {
      const taken = [...counts].filter(([, row]) => sites?.has(row.site_id) !== false)
      for (const [key] of taken) counts.delete(key)
      return taken.map(([, row]) => row)
    },
    add,
  })
}

/** The drops of a hit store. */
export interface Drops extends Pick<DropCounter, 'take' | 'add'> {
  /** Counts a hit. The count is written with the next batch of hits of its site, or within a second. */
  count(site: number, zone: string, reason: string): void
  /** Adds the rows to those in the database, in the transaction of their site's hits. */
  write(trx: Trx, rows: readonly DropRow[]): Promise<unknown>
  /** Writes the remaining counts. */
  close(): Promise<void>
}

const WITHIN_MS = 1000

export function openDrops(store: Store, now: () => number): Drops {
  const { count, take, add } = dropCounter()
  const write = dropWriter(store)
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<unknown> = Promise.resolve()

  /** Writes the counts of all sites in a transaction of their own: processes share these rows, and no hit should wait for them. */
  function writeAll(): Promise<unknown> {
    clearTimeout(timer)
    timer = undefined
    const after = writing.catch(() => {}) // its caller received the error
    return (writing = after.then(async () => {
      const rows = take()
      if (rows.length === 0) return
      await store
        .transaction(trx => write(trx, rows))
        .catch(error => {
          add(rows)
          throw error
        })
    }))
  }

  function writeSoon(): void {
    timer ??= setTimeout(() => writeAll().catch(writeSoon), WITHIN_MS).unref()
  }

  return Object.freeze<Drops>({
    count(site, zone, reason) {
      count(site, zone, reason, now())
      writeSoon()
    },
    take,
    add(rows) {
      add(rows)
      if (rows.length > 0) writeSoon()
    },
    write: (trx, rows) => write(trx, sumOf(rows)),
    close: async () => void (await writeAll()),
  })
}

/** Adds up the rows of the same site, day and reason. */
function sumOf(rows: readonly DropRow[]): readonly DropRow[] {
  const sum = dropCounter()
  sum.add(rows)
  return sum.take()
}

/** Rows are written in a fixed order, so that concurrent processes cannot deadlock. */
function dropWriter(store: Store): (trx: Trx, rows: readonly DropRow[]) => Promise<unknown> {
  const put = insertInto<DropRow, 'drops'>(store, {
    name: 'drops.count',
    table: 'drops',
    columns: {
      site_id: int(row => row.site_id),
      day: int(row => row.day),
      reason: text(row => row.reason),
      count: int(row => row.count),
    },
    conflict: 'on conflict (site_id, day, reason) do update set count = drops.count + excluded.count',
  })
  return (trx, rows) => put(rows.toSorted(inOrder))(trx)
}

const inOrder = (a: DropRow, b: DropRow): number => a.site_id - b.site_id || a.day - b.day || (a.reason < b.reason ? -1 : 1)
