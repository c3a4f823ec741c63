/** The health of a webhook, derived from its attempts (docs/decisions.md §3). */
import type { WebhookRow } from '../../../storage/tables/index.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

export const statuses = ['active', 'failing', 'disabled'] as const

type Counted = 'enabled' | 'consecutive_failures' | 'failing_since' | 'last_success_at' | 'last_failure_at'
export type Health = Pick<WebhookRow, Counted>

/** `gone`: the endpoint answered 410 and must not be called again. */
export type Outcome = 'succeeded' | 'failed' | 'gone'

const failingFrom = 4
const disabledAfter = { failures: 10, ms: 120 * HOUR_MS }

export function statusOf({ enabled, consecutive_failures }: Health): (typeof statuses)[number] {
  if (enabled === 0) return 'disabled'
  return consecutive_failures >= failingFrom ? 'failing' : 'active'
}

/** @param at when the attempt ended, epoch ms */
export function healthAfter(health: Health, outcome: Outcome, at: number): Health {
  if (outcome === 'succeeded') return { ...health, consecutive_failures: 0, failing_since: null, last_success_at: at }
  const failures = health.consecutive_failures + 1
  const since = health.failing_since ?? at
  const dead = outcome === 'gone' || (failures >= disabledAfter.failures && at - since >= disabledAfter.ms)
  return {
    ...health,
    enabled: dead ? 0 : health.enabled,
    consecutive_failures: failures,
    failing_since: since,
    last_failure_at: at,
  }
}

/** Resets the health of a disabled webhook when it is enabled again. */
export const newStart = { enabled: 1, consecutive_failures: 0, failing_since: null } as const
