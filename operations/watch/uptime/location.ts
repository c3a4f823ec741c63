/** What one location says of a check: up or down once enough results in a row have said so (docs/decisions.md §5). */
import type { UptimeLocationRow } from '../../../storage/tables/index.ts'

/** What one probe saw. */
export interface Result {
  /** When the probe began, epoch ms. */
  readonly at: number
  readonly location: string
  readonly ok: boolean
  /** What was wrong: `timeout`, `status_503`, `dns_error` …; null where it was ok or nobody knows. */
  readonly error: string | null
  /** ms; null where there was no answer. */
  readonly ms: number | null
}

export type ErrorCounts = Readonly<Record<string, number>>

export interface Location extends Pick<UptimeLocationRow, 'location' | 'state' | 'streak'> {
  readonly ok: boolean
  /** When the first result of the streak was seen. */
  readonly since: number
  /** What went wrong in a streak of failures. */
  readonly errors: ErrorCounts
  readonly lastAt: number
}

/** Results in a row that decide. What nobody knows yet is up with the first success: it has nothing to recover from. */
const failuresToFail = 3
const successesToRecover = { unknown: 1, up: 1, down: 2 } as const

/** The location after one more result, which is not older than those before. */
export function withResult(before: Location | undefined, { at, location, ok, error }: Result): Location {
  const goesOn = before !== undefined && before.ok === ok
  const streak = goesOn ? before.streak + 1 : 1
  const state = before?.state ?? 'unknown'
  const decides = ok ? streak >= successesToRecover[state] : streak >= failuresToFail
  const errors = goesOn ? before.errors : {}
  return {
    location,
    ok,
    streak,
    state: decides ? (ok ? 'up' : 'down') : state,
    since: goesOn ? before.since : at,
    errors: ok ? {} : withError(errors, error),
    lastAt: at,
  }
}

/** Whether its latest result says other than its state: to be confirmed before the next tick. */
export function isUnconfirmed({ state, ok }: Location): boolean {
  return state !== (ok ? 'up' : 'down')
}

/** Agents name errors as they like; a row keeps so many. */
const errorsKept = 20

export function withError(errors: ErrorCounts, error: string | null, times = 1): ErrorCounts {
  if (error === null) return errors
  const count = Object.hasOwn(errors, error) ? errors[error] : undefined
  const isKept = count !== undefined || Object.keys(errors).length < errorsKept
  return isKept ? { ...errors, [error]: (count ?? 0) + times } : errors
}

export function sumOf(one: ErrorCounts, other: ErrorCounts): ErrorCounts {
  return Object.entries(other).reduce((all, [error, count]) => withError(all, error, count), one)
}

/** The commonest error, the one seen first among equals; null where none has a name. */
export function commonest(errors: ErrorCounts): string | null {
  let cause: string | null = null
  for (const [error, count] of Object.entries(errors)) if (cause === null || count > (errors[cause] ?? 0)) cause = error
  return cause
}
