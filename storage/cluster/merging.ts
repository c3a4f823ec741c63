/**
 * Merges the parts of each month into one, so that a report that reads many columns opens fewer files. A server also merges
 * parts itself, at times that it chooses.
 */
import { setTimeout } from 'node:timers/promises'
import type { ClusterSettings, Connection } from './connection.ts'
import { named, ownTable } from './tables.ts'

const table = 'footfall_visits'
/** A server skips a month that it is already merging, so the months are listed several times. */
const ROUNDS = 3
const ROUND_MS = 1_000

export interface Merging {
  readonly signal: AbortSignal
  /** @param total of months */
  progress(done: number, total: number): void
}

/** The statement that merges the parts of a month, or of all months. */
export const mergeSql = (settings: ClusterSettings, month?: number): string =>
  `optimize table ${named(ownTable(table, settings), settings)} ${month === undefined ? '' : `partition ${month} `}final`

/**
 * Merges the months that have several parts, one after another. It skips months with one part, and parts that are written
 * meanwhile or that the server is merging.
 * @throws StorageUnavailable
 */
export async function mergeParts(connection: Connection, settings: ClusterSettings, { signal, progress }: Merging): Promise<void> {
  let done = 0
  for (let round = 0; round < ROUNDS; round++) {
    const months = await unmergedMonths(connection)
    if (months.length === 0) return
    if (round > 0) await setTimeout(ROUND_MS)
    for (const [i, month] of months.entries()) {
      if (signal.aborted) return
      await connection.run(mergeSql(settings, month))
      progress(++done, done + months.length - i - 1)
    }
  }
}

/** The months with several parts on a server. Shards on one machine count as one server, so their months may be merged again. */
async function unmergedMonths({ read }: Connection): Promise<number[]> {
  const { column } = await read(
    `select intDiv(day, 32) as month, uniqExact(_part) as parts from ${table} group by month, hostName() order by month`,
  )
  const parts = column('parts').values
  return [...new Set(Array.from(column('month').values).filter((_, i) => (parts[i] ?? 0) > 1))]
}
