/**
 * Tables in a Postgres database: `footfall_hits`, `footfall_visits`, `footfall_crawlers`, and `footfall_days` with the stored
 * days. A day is deleted and inserted in one transaction.
 */
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'
import { isIP, Socket } from 'node:net'
import type { Client as PgClient } from 'pg'
import { bareHost, outboundError, OutboundError, resolvePublic } from '../../../runtime/outbound/outbound.ts'
import type { WarehouseSyncRow } from '../../../storage/tables/warehouse.ts'
import { type Cells, type Column, tables } from '../exports/index.ts'
import { type DayToSend, type Opening, ownColumns, type Warehouse, WarehouseError } from './warehouse.ts'

const limits = { connectMs: 5_000, statementMs: 60_000, answerBytes: 8 * 1024 * 1024 } as const
const ROWS_AT_ONCE = 1_000
/** If a process is suspended in the middle of a day, the server rolls its transaction back instead of keeping the day locked. */
const beginning = "begin; set local idle_in_transaction_session_timeout = '2min'"
/** Key of the advisory lock for creating tables: two processes that create one at once would fail. */
const CREATE_LOCK = 7_003

const sqlTypes = { text: 'text', json: 'jsonb', int: 'bigint', real: 'double precision', flag: 'boolean', time: 'timestamptz' } as const
const keyColumns: readonly (readonly [string, string])[] = [
  ['site', 'text not null'],
  ['date', 'date not null'],
]
const dayColumns: readonly (readonly [string, string])[] = [
  ['table_name', 'text not null'],
  ...keyColumns,
  ['rev', 'bigint not null'],
  ['rows', 'bigint not null'],
  ['sent_at', 'timestamptz not null'],
]

export async function openTables(row: WarehouseSyncRow, password: string, opening: Opening): Promise<Warehouse> {
  const { tables: names } = opening
  const schema = row.schema ?? 'public'
  const at = (table: string) => `${quoted(schema)}.${quoted(table)}`
  const client = await withFaults(connect(row, password, opening))
  let isReady = false

  /** Creates missing tables and adds missing columns. */
  async function makeTables(): Promise<void> {
    await client.query('select pg_advisory_xact_lock($1)', [CREATE_LOCK])
    // Check first, because `if not exists` requires the permission to create the schema even if it exists.
    const { rows } = await client.query<{ exists: boolean }>('select to_regnamespace($1) is not null as "exists"', [quoted(schema)])
    if (!rows[0]?.exists) await client.query(`create schema ${quoted(schema)}`)
    const wanted: readonly (readonly [string, readonly (readonly [string, string])[], string])[] = [
      ['footfall_days', dayColumns, 'primary key (table_name, site, date)'],
      ...names.map(name => [`footfall_${name}`, columnsOf(tables[name].columns), ''] as const),
    ]
    for (const [table, columns, key] of wanted) {
      const found = await client.query<{ column_name: string }>(
        'select column_name from information_schema.columns where table_schema = $1 and table_name = $2 limit 1600',
        [schema, table],
      )
      const known = new Set(found.rows.map(({ column_name }) => column_name))
      if (known.size === 0) {
        const lines = [...columns.map(([name, type]) => `${quoted(name)} ${type}`), ...(key === '' ? [] : [key])]
        await client.query(`create table ${at(table)} (${lines.join(', ')})`)
        if (key === '') await client.query(`create index on ${at(table)} (site, date)`)
      } else {
        for (const [name, type] of columns.filter(([name]) => !known.has(name))) {
          await client.query(`alter table ${at(table)} add column ${quoted(name)} ${type.replace(' not null', '')}`)
        }
      }
    }
  }

  async function within<T>(run: () => Promise<T>, end: 'commit' | 'rollback' = 'commit'): Promise<T> {
    await client.query(beginning)
    try {
      const result = await run()
      await client.query(end)
      return result
    } catch (thrown) {
      await client.query('rollback').catch(() => {}) // the connection itself may have failed
      throw thrown
    }
  }

  async function send(day: DayToSend) {
    if (!isReady) await within(makeTables)
    isReady = true
    const table = at(`footfall_${day.table}`)
    const columns = columnsOf(day.columns).map(([name]) => quoted(name))
    return within(async () => {
      // Write the row of the day first. It is the lock under which one writer at a time replaces the day.
      await client.query(
        `insert into ${at('footfall_days')} (table_name, site, date, rev, rows, sent_at) values ($1, $2, $3, $4, 0, now())
         on conflict (table_name, site, date) do update set rev = excluded.rev, sent_at = excluded.sent_at`,
        [day.table, day.site, day.date, day.rev],
      )
      await client.query(`delete from ${table} where site = $1 and date = $2`, [day.site, day.date])
      let [rows, bytes] = [0, 0]
      const insert = async (held: readonly Cells[]) => {
        await day.assertLease()
        const json = JSON.stringify(held.map(row => ({ ...jsonOf(row, day.columns), site: day.site, date: day.date })))
        await client.query(`insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)`, [
          json,
        ])
        rows += held.length
        bytes += Buffer.byteLength(json)
      }
      let held: Cells[] = []
      for await (const piece of day.rows()) {
        held.push(...piece)
        if (held.length < ROWS_AT_ONCE) continue
        await insert(held)
        held = []
      }
      if (held.length > 0) await insert(held)
      await client.query(`update ${at('footfall_days')} set rows = $4 where table_name = $1 and site = $2 and date = $3`, [
        day.table,
        day.site,
        day.date,
        rows,
      ])
      await day.assertUnchanged()
      await day.assertLease()
      return { rows, bytes }
    })
  }

  return {
    send: day => withFaults(send(day)),
    test: () => withFaults(within(makeTables, 'rollback')),
    close: async () => {
      await client.end().catch(() => {})
    },
  }
}

const columnsOf = (columns: readonly Column[]): readonly (readonly [string, string])[] => [
  ...keyColumns,
  ...ownColumns(columns).map(({ name, type }) => [name, sqlTypes[type]] as const),
]

function jsonOf(row: Cells, columns: readonly Column[]): Cells {
  return Object.fromEntries(
    columns.map(({ name, type }) => [name, type === 'time' && row[name] != null ? new Date(Number(row[name])).toISOString() : row[name]]),
  )
}

/** Connects to the checked address, so that the name cannot resolve to another one in between. */
async function connect(row: WarehouseSyncRow, password: string, { config }: Opening): Promise<PgClient> {
  const { default: pg } = await import('pg')
  const { host, port, database, username, tls } = row
  if (host === null || port === null || database === null || username === null) throw new Error(`sync ${row.id} has no database`)
  const isPlain = tls === 'off'
  const [address = ''] = await resolvePublic(host, limits.connectMs, { allow: config.OUTBOUND_ALLOW_CIDRS, onlyAllowed: isPlain })
  const { name } = bareHost(host)
  const socket = new Socket()
  const client = new pg.Client({
    host: address,
    port,
    database,
    user: username,
    password,
    ssl: isPlain ? false : { rejectUnauthorized: true, ...(isIP(name) > 0 ? { host: name } : { servername: name }) },
    stream: () => socket,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    query_timeout: limits.statementMs + 2_000,
    application_name: 'footfall',
  })
  client.on('error', () => {}) // the query under way fails with it
  // An endless response would fill the memory; expected responses are small.
  const watch = setInterval(() => {
    if (socket.bytesRead > limits.answerBytes) socket.destroy(new OutboundError('protocol_error'))
  }, 100).unref()
  socket.once('close', () => clearInterval(watch))
  try {
    await client.connect()
  } catch (thrown) {
    socket.destroy()
    throw thrown
  }
  return client
}

const meanings: readonly (readonly [RegExp, (params: { code: string }) => Message])[] = [
  [/^28/, m.wrong_user],
  [/^3D/, m.no_database],
  [/^42501$/, m.no_permission],
  [/^53[12]/, m.no_space],
  [/^53/, m.no_connection],
  [/^57014$/, m.too_slow],
  [/^57/, m.shutting_down],
  [/^(40|55P03)/, m.locked],
  [/^25006$/, m.read_only],
  [/^42(P07|701|804|703)$/, m.foreign_table],
]

/** Reports SQLSTATE and a text of Footfall, because the server's message may repeat sent data. */
async function withFaults<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (thrown) {
    if (thrown instanceof OutboundError) throw new WarehouseError(thrown.code, thrown.sentence)
    if (!(thrown instanceof Error)) throw thrown
    const code = 'code' in thrown ? String(thrown.code) : ''
    if ('severity' in thrown && /^[0-9A-Z]{5}$/.test(code)) {
      const meaning = meanings.find(([form]) => form.test(code))?.[1] ?? m.statement_refused
      throw new WarehouseError(code, meaning({ code }))
    }
    const own = ownFaults.find(([form]) => form.test(thrown.message))?.[1]
    if (own) throw new WarehouseError(own, new OutboundError(own).sentence)
    if (code === '') throw thrown
    const fault = outboundError(thrown)
    throw new WarehouseError(fault.code, fault.sentence)
  }
}

/** Messages of driver errors that have no code. */
const ownFaults = [
  [/^The server does not support SSL/, 'tls_error'],
  [/timeout|timed out/i, 'timeout'],
  [/^Connection terminated|^Client has encountered a connection error|^Client was closed/, 'connection_reset'],
  [/^(SASL|Unknown auth|Received unexpected|unknown message)/i, 'protocol_error'],
] as const

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
