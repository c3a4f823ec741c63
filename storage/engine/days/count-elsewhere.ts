/** Lets the ClickHouse cluster count days whose columns are too large to fetch: `remote-scan.ts`. */
import type { Cluster, Copy } from '../../cluster/cluster.ts'
import type { Result } from '../../cluster/connection.ts'
import type { Db } from '../../store.ts'
import { confirmVersion } from '../../snapshots/snapshots.ts'
import { naming } from './cluster-columns.ts'
import type { Day, DayBounds } from './day.ts'
import type { DayLoader } from './load-days.ts'
import { siteDays } from './site-days.ts'
import { allReads, type Reads } from './reads.ts'
import { type RemoteScan, type RemoteSums, remoteSql } from './remote-scan.ts'
import { columnNumbers, READ_FORMATS, type PartName } from './sealed-columns.ts'
import { hasAll, type SealedDay } from './sealed-day.ts'
import { readCopies } from './segments.ts'
import type { Source } from './source.ts'

/**
 * Most numbers of columns to fetch instead of counting in the cluster. These few MB take about as long as one scan, and
 * answer all further queries about these days from memory.
 */
export const MAX_FETCHED = 2_000_000

/** @param max numbers to fetch instead; tests use 0 */
export function counterIn(cluster: Cluster, { open }: DayLoader, max: number) {
  return (db: Db, site: number): NonNullable<Source['count']> => {
    /** Reports of one query need some sums twice. */
    const sent = new Map<string, Promise<Result>>()
    const read = (query: string): Promise<Result> => {
      const answer = sent.get(query) ?? cluster.read(query)
      sent.set(query, answer)
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
      const lacking = [...sealed].filter(([, one]) => one.copy > 0 && wants(one.day) && !hasAll(one, reads))
      if (lacking.reduce((sum, [, one]) => sum + numbersToFetch(one, reads), 0) <= max) return
      const days = new Map(lacking.map(([, { day }]) => [day.day, day]))
      const count = async (copies: readonly Copy[]): Promise<Counted[] | null> => {
        const dayOf = new Map(copies.map(({ day, copy }) => [copy, day]))
        // Two processes may have used the same number. If numbers are the groups, such days would be one, with too few visitors.
        if (dayOf.size !== lacking.length) return null
        const found = await Promise.all(scans.map(async scan => resultOf(scan, await read(remoteSql(site, copies, scan)), dayOf)))
        return found.every(one => isWhole(one, days)) ? found : null
      }
      const known = () => lacking.map(([{ day }, { copy }]) => ({ day, copy }))
      /** A day in memory may have been sealed again at the same `rev`, so that its earlier copy was deleted. */
      const current = async () => {
        const all = lacking.map(([siteDay]) => siteDay)
        const copies = new Map((await readCopies(db, { site, days: all, format: READ_FORMATS })).map(({ day, copy }) => [day, copy]))
        for (const [{ day }, one] of lacking) one.copy = copies.get(day) ?? one.copy
        return known()
      }
      try {
        // If a server lacks rows, the columns are requested, whose error names the day.
        const found = (await count(known())) ?? (await count(await current()))
        if (found) add(days as ReadonlyMap<number, DayBounds>, found)
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

interface Counted extends RemoteSums {
  /** Number of visits of each row. */
  readonly visits: ArrayLike<number>
}

/** Removes groups of copies that were not requested. */
function resultOf(scan: RemoteScan, { column }: Result, dayOf: ReadonlyMap<number, number>): Counted {
  const all = Array.from(column('g').values, group => (scan.group === 'day' ? dayOf.get(group) : group - 1))
  const rows = [...all.keys()].filter(row => all[row] !== undefined)
  const of = (name: string) => {
    const { values } = column(name)
    return rows.map(row => values[row] ?? 0)
  }
  const sums = new Map(Object.keys(scan.sums).map(name => [name, of(`s_${name}`)]))
  return {
    scan,
    rows: rows.length,
    groups: all.filter(group => group !== undefined),
    visits: of('n'),
    sum: name => sums.get(name),
  }
}

/** Whether the groups were made from all visits of the days. */
function isWhole({ rows, groups, visits }: Counted, days: ReadonlyMap<number, Day>): boolean {
  let missing = 0
  for (const day of days.values()) missing += day.visits.count
  for (let row = 0; row < rows; row++) if (groups[row] !== -1) missing -= visits[row] ?? 0 // -1 is the total
  return missing === 0
}
