/** Rows to delete after a time. An entry here is all that a table needs. */
import type { Tables } from '../../storage/tables/index.ts'
import { DAY_MS, HOUR_MS } from '../../storage/values/durations.ts'

/** Time for which the answer to a request with an `Idempotency-Key` is kept, in hours. */
export const idempotencyHours = 24

export type Expiring = {
  [T in keyof Tables]: {
    readonly table: T
    readonly key: readonly (keyof Tables[T] & string)[]
    /** Age is counted from this column, epoch ms. */
    readonly from: keyof Tables[T] & string
    readonly afterMs: number
  }
}[keyof Tables]

/** Tables that the runtime itself writes. */
export const runtimeExpiring: readonly Expiring[] = [
  {
    table: 'idempotency_keys',
    key: ['token_id', 'operation', 'key'],
    from: 'created_at',
    afterMs: idempotencyHours * HOUR_MS,
  },
  { table: 'kept_forms', key: ['id'], from: 'created_at', afterMs: HOUR_MS },
  { table: 'attempts', key: ['limit_name', 'who'], from: 'ends_at', afterMs: 0 },
  { table: 'events', key: ['id'], from: 'created_at', afterMs: 90 * DAY_MS },
]
