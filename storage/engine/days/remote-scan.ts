/**
 * A count over sealed days that runs in their ClickHouse cluster: expressions of its SQL over the table of visits
 * (`storage/cluster/tables.ts`), with ids instead of texts. For millions of visits, fetching columns takes many times as long
 * (docs/clickhouse.md §6).
 */
import type { Copy } from '../../cluster/cluster.ts'
import type { DayBounds } from './day.ts'
import type { Reads } from './reads.ts'

export interface RemoteScan {
  /** 1 for the visits that count, 0 for others. In `sums` it is `m`. */
  readonly mask: string
  /** Null: each visit is a row. */
  readonly hits: HitRows | null
  /** Whether few visits are likely to count. */
  readonly few: boolean
  /** The key of the groups: `day`, or a number. */
  readonly group: string
  /** Whether the sums of all groups together are wanted as well. */
  readonly hasTotal?: boolean
  /** By name. */
  readonly sums: Readonly<Record<string, string>>
  /** The reads of the same count for days in the database. */
  readonly reads: Reads
}

/** Each hit of a visit as a row. */
export interface HitRows {
  /** The columns that the arrays, the group and the sums name. */
  readonly columns: readonly string[]
  /** Arrays of the hits, by the name that a row's value of it has. */
  readonly arrays: Readonly<Record<string, string>>
}

/** Counts that may run in the cluster, for the days that they need. */
export interface Elsewhere {
  /** Null if there is no SQL for it. */
  scans(): readonly RemoteScan[] | null
  /** Whether the whole day is counted, and not a part of it. */
  wants(day: DayBounds): boolean
  /** Receives the result of each scan. These days are not to be counted again. */
  add(days: ReadonlyMap<number, DayBounds>, found: readonly RemoteSums[]): void
}

/** A row a group. */
export interface RemoteSums {
  readonly scan: RemoteScan
  readonly rows: number
  /** The day or number of each row; -1 for the total. */
  readonly groups: ArrayLike<number>
  /** Undefined if the scan has no such sum. */
  sum(name: string): ArrayLike<number> | undefined
}

/** A number for each visitor of a group. */
export const visitorIn = (group: string): string => (group === 'day' ? 'visitor' : 'toUInt64(day) * 4294967296 + visitor')

/** Columns stay in the server's memory if it has that cache, however many rows are read. */
const CACHED = 'settings use_uncompressed_cache = 1, merge_tree_max_rows_to_use_cache = 1000000000000'

/**
 * Has a row a group: `g`, the copy in place of its day, or one more than the number, with 0 for the total; the sums; and
 * `n`: together, the rows have as many as there are visits in the copies, whether they count or not. So the same answer says
 * whether the server had all. Groups of other copies may be among those of days.
 * @param copies with a number each
 */
export function remoteSql(site: number, copies: readonly Copy[], scan: RemoteScan): string {
  const { mask, hits, few, group, hasTotal = false, sums } = scan
  const days = copies.map(({ day }) => day)
  // Only says where to look: it is not compared with each row. Nor are copies where they are the groups. Elsewhere their
  // numbers are enough: if two days or sites had the same one, `n` would say so.
  const near = `indexHint(site = ${site} and day >= ${Math.min(...days)} and day <= ${Math.max(...days)})`
  const where = group === 'day' ? near : `${near} and copy in (${copies.map(({ copy }) => copy).join()})`
  const key = group === 'day' ? 'copy' : `${group} + 1`
  // If few visits count, all others are skipped, except for the first of each block, which represents the block in `n`.
  // If many count, multiplying all by 0 or 1 is faster than removing the others from each column.
  const counting = `prewhere ${where} and bitOr(m, stands_for > 0)` // in 18.16, faster than `or`
  const summed = Object.entries(sums).map(([name, of]) => `${of} as s_${name}`)
  const grouped = `group by g ${hasTotal ? 'with rollup' : ''} ${CACHED}`
  if (!hits) {
    return `with (${mask}) as m select ${key} as g, ${few ? 'sum(stands_for)' : 'count()'} as n, ${summed.join(', ')}
      from footfall_visits ${few ? counting : `prewhere ${where}`} ${grouped}`
  }
  const joined = ['arrayEnumerate(h_page) as place', ...Object.entries(hits.arrays).map(([name, of]) => `${of} as ${name}`)]
  return `select ${key} as g, sum(stands_for * (place = 1)) as n, ${summed.join(', ')} from (
      select ${hits.columns.join(', ')}, stands_for, (${mask}) as m from footfall_visits ${counting}
    ) array join ${joined.join(', ')} ${grouped}`
}
