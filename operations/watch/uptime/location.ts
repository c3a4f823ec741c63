/** The state of a check at one location: up or down after enough equal results in a row (docs/decisions.md §5). */
import type { UptimeLocationRow } from '../../../storage/tables/index.ts'

/** The result of one probe. */
export interface Result {
  /** Start of the probe, epoch ms. */
  readonly at: number
  readonly location: string
  readonly ok: boolean
  /** The cause of a failure: `timeout`, `status_503`, `dns_error` …; null if it was ok or the cause is unknown. */
  readonly error: string | null
  /** Response time in ms; null without an answer. */
  readonly ms: number | null
}

export type ErrorCounts = Readonly<Record<string, number>>

export interface Location extends Pick<UptimeLocationRow, 'location' | 'state' | 'streak'> {
  readonly ok: boolean
  /** Time of the first result of the streak. */
  readonly since: number
  /** Errors of a streak of failures. */
  readonly errors: ErrorCounts
  readonly lastAt: number
}

/** Consecutive results that decide. One success is enough from `unknown`: there is nothing to recover from. */
const failuresToFail = 3
const successesToRecover = { unknown: 1, up: 1, down: 2 } as const

/** Applies one more result, which is not older than earlier results. */
export function withResult(before: Location | undefined, { at, location, ok, error }: Result): Location {
  const continues = before !== undefined && before.ok === ok
  const streak = continues ? before.streak + 1 : 1
  const state = before?.state ?? 'unknown'
  const decides = ok ? streak >= successesToRecover[state] : streak >= failuresToFail
  const errors = continues ? before.errors : {}
  return {
    location,
    ok,
    streak,
    state: decides ? (ok ? 'up' : 'down') : state,
    since: continues ? before.since : at,
    errors: ok ? {} : withError(errors, error),
    lastAt: at,
  }
}

/** Whether the latest result contradicts the state. The location then probes again before its next tick (schedule.ts). */
export function isUnconfirmed({ state, ok }: Location): boolean {
  return state !== (ok ? 'up' : 'down')
}

/** Largest number of different errors in a row: agents name errors freely. */
const maxErrors = 20

export function withError(errors: ErrorCounts, error: string | null, times = 1): ErrorCounts {
  if (error === null) return errors
  const count = Object.hasOwn(errors, error) ? errors[error] : undefined
  const isKept = count !== undefined || Object.keys(errors).length < maxErrors
  return isKept ? { ...errors, [error]: (count ?? 0) + times } : errors
}

export function sumOf(one: ErrorCounts, other: ErrorCounts): ErrorCounts {
  return Object.entries(other).reduce((all, [error, count]) => withError(all, error, count), one)
}

/** The most frequent error; among equals the first. Null if none has a name. */
export function commonest(errors: ErrorCounts): string | null {
  let cause: string | null = null
  for (const [error, count] of Object.entries(errors)) if (cause === null || count > (errors[cause] ?? 0)) cause = error
  return cause
}
