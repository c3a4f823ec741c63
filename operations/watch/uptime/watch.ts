/**
 * Derives a check's state from results: it is up or down by a strict majority of the locations with recent results.
 * Without recent results, or without a majority, the state stays (docs/decisions.md §5).
 */
import type { UptimeCheckRow } from '../../../storage/tables/index.ts'
import { type ErrorCounts, type Location, type Result, sumOf, withError, withResult } from './location.ts'
import { freshMs } from './schedule.ts'

export type Watched = Pick<
  UptimeCheckRow,
  'status' | 'status_since' | 'watched_since' | 'interval_seconds' | 'timeout_seconds' | 'last_checked_at' | 'last_response_ms'
>

/** A change of the check's state. */
export interface StateChange {
  readonly to: 'up' | 'down'
  /** Time of the first result that led to it, before the change was decided. */
  readonly at: number
  /** Errors since then, and their locations. */
  readonly errors: ErrorCounts
  readonly failed: readonly string[]
}
/** A failure while the check was already down. */
export interface Failure {
  readonly to: 'same'
  readonly errors: ErrorCounts
  readonly failed: readonly string[]
}

export interface Watch {
  readonly check: Watched
  readonly locations: ReadonlyMap<string, Location>
  /** In order of arrival. */
  readonly happened: ReadonlyArray<StateChange | Failure>
}

interface WatchInput {
  readonly check: Watched
  readonly known: ReadonlyMap<string, Location>
  readonly results: readonly Result[]
  readonly now: number
}

/**
 * @param results of one check, oldest first, none older than `watched_since`
 * @param now epoch ms
 */
export function watch({ check, known, results, now }: WatchInput): Watch {
  const locations = new Map(known)
  const happened: (StateChange | Failure)[] = []
  let after = check
  for (const result of results) {
    const before = locations.get(result.location)
    // A result older than the location's latest changes nothing.
    if (before && result.at <= before.lastAt) continue
    locations.set(result.location, withResult(before, result))
    if (result.at >= (after.last_checked_at ?? 0)) {
      after = { ...after, last_checked_at: result.at, last_response_ms: result.ms }
    }
    const change = changeOf(after, [...locations.values()], now)
    if (change) after = { ...after, status: change.to, status_since: change.at }
    if (change) happened.push(change)
    else if (after.status === 'down' && !result.ok) {
      happened.push({ to: 'same', errors: withError({}, result.error), failed: [result.location] })
    }
  }
  return { check: after, locations, happened }
}

function changeOf(check: Watched, locations: readonly Location[], now: number): StateChange | undefined {
  const fresh = locations.filter(({ lastAt }) => now - lastAt <= freshMs(check))
  const to = verdict(fresh)
  if (to === undefined || to === check.status || check.status === 'paused') return undefined
  const behind = fresh.filter(({ state, ok }) => state === to && ok === (to === 'up'))
  return {
    to,
    at:
      beginning(
        check,
        behind.map(({ since }) => since),
        majorityOf(fresh),
      ) ?? now,
    errors: behind.reduce<ErrorCounts>((all, { errors }) => sumOf(all, errors), {}),
    failed: behind.filter(({ ok }) => !ok).map(({ location }) => location),
  }
}

function verdict(fresh: readonly Location[]): 'up' | 'down' | undefined {
  return (['up', 'down'] as const).find(to => fresh.filter(({ state }) => state === to).length >= majorityOf(fresh))
}

function majorityOf({ length }: readonly Location[]): number {
  return Math.floor(length / 2) + 1
}

/**
 * Time of the first result of the state just decided. Locations see the same outage up to one interval apart: an
 * earlier result of a single location is not part of it, nor is any from before the ending state began.
 */
function beginning(check: Watched, since: readonly number[], majority: number): number | undefined {
  const inOrder = [...since].sort((a, b) => a - b)
  const decisive = inOrder[Math.min(majority, inOrder.length) - 1]
  if (decisive === undefined) return undefined
  const began = check.status === 'pending' ? check.watched_since : check.status_since
  const earliest = Math.max(began, decisive - (check.interval_seconds + check.timeout_seconds) * 1000)
  return inOrder.find(at => at >= earliest) ?? began
}
