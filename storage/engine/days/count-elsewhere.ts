/** Has the ClickHouse cluster count days that it would be much to fetch: see `remote-scan.ts`. */
import type { Cluster } from '../../cluster/cluster.ts'
import type { Result } from '../../cluster/connection.ts'
import type { Db } from '../../store.ts'
import { confirmVersion } from '../../version.ts'
import { naming } from './cluster-columns.ts'
import type { Day, DayBounds } from './day.ts'
import type { DayLoader } from './load-days.ts'
import { siteDays } from './read-days.ts'
import { allReads, type Reads } from './reads.ts'
import { remoteSql } from './remote-scan.ts'
import { columnNumbers, FORMAT, type PartName } from './sealed-columns.ts'
import { hasAll, type SealedDay } from './sealed-day.ts'
import { readCopies } from './segments.ts'
import type { Source } from './source.ts'

/**
 * Numbers of columns that are fetched rather than counted there: a few MB, which take about as long as one scan, and answer
 * every further question about these days from memory.
 */
export const FETCHED_MOST = 2_000_000

/** @param most what is fetched instead, numbers; tests have 0 */
export function counterIn(cluster: Cluster, { open }: DayLoader, most: number) {
  return (db: Db, site: number): NonNullable<Source['count']> => {
    /** Reports that are asked together ask for some sums twice. */
    const asked = new Map<string, Promise<Result>>()
    const read = (query: string): Promise<Result> => {
      const answer = asked.get(query) ?? cluster.read(query)
      asked.set(query, answer)
      return answer
    }

    return async (fromDay, toDay, { scans: scansOf, wants, add }) => {
      const scans = scansOf()
      if (!scans) return
      const reads = allReads(scans.map(scan => scan.reads))
      const list = await siteDays(db, site, fromDay, toDay)
      await confirmVersion(db)
      const sealed = await open(
        db,
        site,
        list.filter(day => day.sealed),
      )
      const lacking = [...sealed].filter(([, one]) => one.copy !== 0 && wants(one.day) && !hasAll(one, reads))
      if (lacking.reduce((sum, [, one]) => sum + numbersToFetch(one, reads), 0) <= most) return
      // A day in memory may have been sealed again since, at the same `rev`: the copy of then may be gone.
      const copies = await readCopies(
        db,
        site,
        lacking.map(([siteDay]) => siteDay),
        FORMAT,
      )
      if (copies.length !== lacking.length) return
      const days = new Map(lacking.map(([, { day }]) => [day.day, day]))
      try {
        const found = await Promise.all(scans.map(async scan => ({ scan, result: await read(remoteSql(site, copies, scan)) })))
        // If a server lacks rows, columns are asked for, which says of which day.
        if (!found.every(({ result }) => isWhole(result, days))) return
        add(
          days as ReadonlyMap<number, DayBounds>,
          found.map(({ scan, result: { rows, column } }) => ({
            scan,
            rows,
            groups: Array.from(column('g').values, group => group - 1),
            sum: name => (name in scan.sums ? column(`s_${name}`).values : undefined),
          })),
        )
      } catch (error) {
        throw naming(error, [...days.values()])
      }
    }
  }
}

const partOf: ReadonlyMap<number, PartName> = new Map(
  Object.entries(columnNumbers).flatMap(([part, numbers]) => Object.values(numbers).map(number => [number, part as PartName] as const)), // its own keys
)

function numbersToFetch(sealed: SealedDay, { columns }: Reads): number {
  let numbers = 0
  for (const number of columns) {
    const part = partOf.get(number)
    if (part && !sealed.has('columns', number)) numbers += sealed.day[part]?.count ?? 0
  }
  return numbers
}

/** Whether the groups were made from all visits of the days. */
function isWhole({ rows, column }: Result, days: ReadonlyMap<number, Day>): boolean {
  const [groups, counts] = [column('g').values, column('n').values]
  let missing = 0
  for (const { visits } of days.values()) missing += visits.count
  for (let row = 0; row < rows; row++) if (groups[row] !== 0) missing -= counts[row] ?? 0 // 0 is the total
  return missing === 0
}
