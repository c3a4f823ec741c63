/**
 * The tables of sealed days. A row is a visit with its hits and their properties as arrays, from which both the columns
 * that reports scan and the rows of the database can be made; vitals and clicks have tables of their own, since some have
 * no visit. Every row has the number of the copy that it belongs to: a day is written again under another number, and
 * only the copy counts that the database names (docs/clickhouse.md §2).
 */
import { visitDimensionNumbers, visitDimensions } from '../tables/index.ts'
import type { ClusterSettings, Connection } from './connection.ts'
import type { Scalar } from './native.ts'

export type Types = Readonly<Record<string, Scalar>>

const ofCopy = { site: 'UInt32', day: 'Int32', copy: 'UInt64' } as const

/** Values of a visit. Instants are ms since `base`. */
export const visitTypes = {
  ...ofCopy,
  visitor: 'UInt32',
  number: 'UInt8',
  /** 1 for the only visit of its visitor on the day. */
  alone: 'UInt8',
  /** How many rows were written at once, at the first of them; 0 at the others. A server has all of these or none. */
  stands_for: 'UInt32',
  /** Epoch ms. */
  base: 'Int64',
  started: 'Int32',
  duration: 'UInt32',
  pageviews: 'UInt32',
  events: 'UInt32',
  bounce: 'UInt8',
  revenue: 'Int64',
  purchases: 'UInt32',
  entry_after: 'Int32',
  exit_after: 'Int32',
  next_seq: 'UInt32',
  /** One more than ms since `base`; 0 for none. */
  attended: 'Int32',
  person: 'UInt32',
  person_after: 'UInt32',
  ...(Object.fromEntries(visitDimensions.map(name => [name, 'UInt32'])) as Record<(typeof visitDimensions)[number], 'UInt32'>), // one each
} as const satisfies Types

/** Columns of each hit of a visit, in order of time. */
export const hitTypes = {
  h_seq: 'UInt32',
  h_at: 'Int32',
  h_page: 'UInt32',
  h_event: 'UInt32',
  h_interactive: 'UInt8',
  h_revenue: 'Int64',
  h_engaged: 'UInt32',
  h_scroll: 'UInt16',
  h_host: 'UInt32',
} as const satisfies Types

/** Columns of each property of a visit's hits: the place of the hit among them, from 0. `num` is NaN if it has none. */
export const propTypes = { p_hit: 'UInt32', p_key: 'UInt32', p_value: 'UInt32', p_num: 'Float64' } as const satisfies Types

export const vitalTypes = {
  ...ofCopy,
  page: 'UInt32',
  metric: 'UInt8',
  device: 'UInt32',
  visitor: 'UInt32',
  number: 'UInt8',
  seq: 'UInt32',
  value: 'UInt32',
} as const satisfies Types

export const clickTypes = {
  ...ofCopy,
  page: 'UInt32',
  selector: 'UInt32',
  visitor: 'UInt32',
  number: 'UInt8',
  seq: 'UInt32',
  x: 'UInt32',
  y: 'UInt32',
} as const satisfies Types

interface ClusterTable {
  readonly values: Types
  readonly arrays: Types
  readonly key: string
}

export type TableName = 'footfall_visits' | 'footfall_vitals' | 'footfall_clicks'

export const clusterTables: Readonly<Record<TableName, ClusterTable>> = {
  footfall_visits: { values: visitTypes, arrays: { ...hitTypes, ...propTypes }, key: 'site, day, copy, visitor, number' },
  footfall_vitals: { values: vitalTypes, arrays: {}, key: 'site, day, copy, page, metric, device' },
  footfall_clicks: { values: clickTypes, arrays: {}, key: 'site, day, copy, page, selector' },
}

export const tableNames = Object.keys(clusterTables) as readonly TableName[] // a literal's own keys

/** The table on each server itself, from which rows are deleted. */
export const ownTable = (name: TableName, { cluster }: ClusterSettings): string => (cluster === '' ? name : `${name}_local`)
/** A table in a statement that each server runs itself, in the database of its own user. */
export const named = (table: string, { cluster, database }: ClusterSettings): string =>
  cluster === '' ? table : `${database}.${table} on cluster ${cluster}`

/** The last column number of the first tables. Dimensions after it are added to them. */
const LAST_OF_FIRST_TABLES = 41
const addedDimensions = visitDimensions.filter(name => visitDimensionNumbers[name].column > LAST_OF_FIRST_TABLES)

/** Columns that tables of an earlier version lack: what their rows have in them. */
const ofEarlier: Readonly<Record<string, string>> = {
  ...Object.fromEntries(addedDimensions.map(name => [name, 'UInt32 default 0'])),
  person: 'UInt32 default 0',
  person_after: 'UInt32 default 0',
  h_host: 'Array(UInt32) default arrayMap(p -> toUInt32(0), h_page)',
}

/** Adds these columns to the tables of visits that lack them. Another process may do so at the same time. */
async function addColumns(connection: Connection, settings: ClusterSettings): Promise<void> {
  for (const { table, name } of await lackingColumns(connection, settings)) {
    // `if not exists` is unknown to ClickHouse 18.
    await connection.run(`alter table ${named(table, settings)} add column ${name} ${ofEarlier[name]}`).catch(async (error: unknown) => {
      const lacking = await lackingColumns(connection, settings)
      if (lacking.some(one => one.table === table && one.name === name)) throw error
    })
  }
}

async function lackingColumns({ read }: Connection, settings: ClusterSettings): Promise<{ table: string; name: string }[]> {
  const { cluster, database } = settings
  const place = cluster === '' ? 'system.columns' : `cluster(${cluster}, system, columns)`
  const own = cluster === '' ? 'currentDatabase()' : `'${database}'`
  const shards = cluster === '' ? null : await read(`select uniqExact(shard_num) as n from system.clusters where cluster = '${cluster}'`)
  const lacking: { table: string; name: string }[] = []
  for (const table of new Set([ownTable('footfall_visits', settings), 'footfall_visits'])) {
    for (const name of Object.keys(ofEarlier)) {
      const found = await read(`select count() as n from ${place} where database = ${own} and table = '${table}' and name = '${name}'`)
      if ((found.column('n').values[0] ?? 0) < (shards?.column('n').values[0] ?? 1)) lacking.push({ table, name })
    }
  }
  return lacking
}

/**
 * Creates missing tables. Any number of processes may do so at a time. If each shard has them, it runs no statement, because
 * a statement for all servers fails while one of them is unavailable.
 */
export async function makeTables(connection: Connection, settings: ClusterSettings): Promise<void> {
  const { cluster, database } = settings
  if (cluster !== '' && (await shardsHaveTables(connection, settings))) return addColumns(connection, settings)
  for (const name of tableNames) {
    const { values, arrays, key } = clusterTables[name]
    const columns = [...Object.entries(values), ...Object.entries(arrays).map(([column, type]) => [column, `Array(${type})`] as const)].map(
      ([column, type]) => `${column} ${type}`,
    )
    const own = ownTable(name, settings)
    const engine = cluster === '' ? 'MergeTree()' : `ReplicatedMergeTree('/clickhouse/tables/{shard}/${database}/${own}', '{replica}')`
    // A month a part, so that deleting copies rewrites little.
    await connection.run(
      `create table if not exists ${named(own, settings)} (${columns.join(', ')}) engine = ${engine} partition by intDiv(day, 32) order by (${key})`,
    )
    if (cluster === '') continue
    // One shard has all of a day, so that the shards answer every query by themselves except for the last addition.
    await connection.run(
      `create table if not exists ${named(name, settings)} (${columns.join(', ')}) engine = Distributed(${cluster}, ${database}, ${own}, intHash64(site * 100000 + day))`,
    )
  }
  await addColumns(connection, settings)
}

async function shardsHaveTables({ read }: Connection, { cluster, database }: ClusterSettings): Promise<boolean> {
  const names = tableNames.flatMap(name => [`'${name}'`, `'${name}_local'`])
  const there = await read(
    `select count() as n from cluster(${cluster}, system, tables) where database = '${database}' and name in (${names.join()})`,
  )
  const shards = await read(`select uniqExact(shard_num) as n from system.clusters where cluster = '${cluster}'`)
  return there.column('n').values[0] === names.length * (shards.column('n').values[0] ?? 0)
}
