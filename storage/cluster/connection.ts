/** The connection to a ClickHouse server, over HTTP. The client is loaded with the first query. */
import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { StorageUnavailable } from '../values/storage-unavailable.ts'
import { decodeBlocks, type Found } from './native.ts'

/** Plain data, which threads open their own connection from. */
export interface ClusterSettings {
  /** `http://` or `https://`. */
  readonly url: string
  readonly user: string
  readonly password: string
  readonly database: string
  /** The name of the cluster on its servers; '' for a single server. */
  readonly cluster: string
}

export interface Result {
  readonly rows: number
  /** None if there are no rows. */
  column(name: string): Found
}

export interface Connection {
  /** @throws StorageUnavailable `cluster`, or `busy` if the query met one of its limits */
  read(query: string, signal?: AbortSignal): Promise<Result>
  /** A statement without a result. On a cluster, once every server has run it. @throws as `read` */
  run(statement: string): Promise<void>
  /** The same, but servers that do not answer within a few seconds run it later. @throws as `read` */
  begin(statement: string): Promise<void>
  /** Returns once the shard has stored the block. @throws as `read` */
  insert(table: string, columns: readonly string[], block: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** Limits of a query: reports end after a minute anyway. */
const limits = {
  max_execution_time: 55,
  max_memory_usage: '4000000000',
  max_result_bytes: '2000000000',
  result_overflow_mode: 'throw',
  // For lists of ids. An alias counts again at every use.
  max_query_size: '20000000',
  max_ast_elements: '1000000',
  max_expanded_ast_elements: '10000000',
  skip_unavailable_shards: 0, // an error instead of a smaller number
  insert_distributed_sync: 1,
  wait_end_of_query: 1, // an error in the middle is an error, not a shorter answer
  distributed_ddl_task_timeout: 50,
} as const
const timeoutMs = 60_000
/** For servers of a cluster to begin a statement, s. */
const beginTimeoutSeconds = 3
const maxConnections = 8

interface RequestOptions {
  readonly values?: Readable
  readonly abort_signal?: AbortSignal
  readonly clickhouse_settings?: { readonly distributed_ddl_task_timeout: string }
}

export function openConnection({ url, user, password, database }: ClusterSettings): Connection {
  let opening: Promise<ClickHouseClient> | undefined

  async function open(): Promise<ClickHouseClient> {
    const client = await import('@clickhouse/client')
    const { createClient, ClickHouseLogLevel } = client.default ?? client // a loader of TypeScript gives no default of CommonJS
    return createClient({
      url,
      username: user,
      password,
      database,
      request_timeout: timeoutMs,
      max_open_connections: maxConnections,
      keep_alive: { enabled: false }, // a connection that a restarted server has closed would fail the next query
      log: { level: ClickHouseLogLevel.OFF },
      clickhouse_settings: limits as never, // `wait_end_of_query` is a parameter of the HTTP interface, not of its list
    })
  }

  async function answerTo(query: string, { values, ...how }: RequestOptions = {}): Promise<Buffer> {
    try {
      const client = await (opening ??= open())
      const { stream } = await (values ? client.exec({ query, values, ...how }) : client.exec({ query, ...how }))
      const parts: Buffer[] = []
      for await (const part of stream) parts.push(part as Buffer) // a stream of bytes
      return Buffer.concat(parts)
    } catch (error) {
      throw translated(error)
    }
  }

  return {
    async read(query, signal) {
      const { rows, columns } = decodeBlocks(await answerTo(`${query} format Native`, signal && { abort_signal: signal }))
      const none: Found = { values: new Float64Array(0), ends: new Float64Array(0) }
      return {
        rows,
        column(name) {
          const found = columns.get(name)
          if (!found && rows > 0) throw new Error(`an answer of ClickHouse has no column ${name}`)
          return found ?? none
        },
      }
    },
    async run(statement) {
      await answerTo(statement)
    },
    async begin(statement) {
      try {
        await answerTo(statement, { clickhouse_settings: { distributed_ddl_task_timeout: String(beginTimeoutSeconds) } })
      } catch (error) {
        if (!(error instanceof StorageUnavailable && codeOf(error.cause) === timeoutExceeded)) throw error // unavailable servers have it in their queue
      }
    },
    async insert(table, columns, block) {
      const values = Readable.from([block], { objectMode: false })
      await answerTo(`insert into ${table} (${columns.join(', ')}) format Native`, { values })
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}

const timeoutExceeded = '159'
/** TIMEOUT_EXCEEDED, MEMORY_LIMIT_EXCEEDED, TOO_MANY_ROWS_OR_BYTES, TOO_MANY_BYTES, and too many queries at a time. */
const tooMuch: readonly string[] = [timeoutExceeded, '241', '396', '307', '202']

function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RangeError) return error
  if (tooMuch.includes(codeOf(error)))
    return new StorageUnavailable('report_too_large', 'The report reads too much at once; ask for a shorter range.', { cause: error })
  return new StorageUnavailable('cluster', 'The ClickHouse cluster does not answer.', { cause: error })
}

/** The code of an error of the server; the client knows only how today's versions write it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'code' in error ? String(error.code) : (/^Code: (\d+)/.exec(error.message)?.[1] ?? '')
}
