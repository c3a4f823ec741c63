/** Calls a listener after each query. Without a listener, Kysely measures nothing. */
import type { Logger } from 'kysely'

export interface EndedQuery {
  /** With placeholders: it holds no values. */
  readonly sql: string
  readonly ms: number
  /** The code of the error, or the name of its class. */
  readonly fault: string | undefined
}

export type QueryListener = (query: EndedQuery) => void

/** The option of a `Kysely` that calls the listener. */
export const logTo = (listener: QueryListener | undefined): { log?: Logger } =>
  listener
    ? {
        log: event =>
          listener({
            sql: event.query.sql,
            ms: event.queryDurationMillis,
            fault: event.level === 'error' ? faultOf(event.error) : undefined,
          }),
      }
    : {}

function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
