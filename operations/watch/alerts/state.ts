/** The two states of an alert, and the transitions between them (docs/decisions.md §4). Pure functions. */
import type { AlertRow } from '../../../storage/tables/index.ts'
import { MINUTE_MS } from '../../../storage/values/durations.ts'

/** The result of one evaluation; `unknown`: there was no value. */
export type Finding = 'breach' | 'clear' | 'unknown'
export type Change = 'opens' | 'resolves'

type State = Pick<AlertRow, 'state' | 'streak'>

/** Consecutive evaluations needed for a transition. Values with random variation must repeat; facts count at once. */
const hesitant = { opens: 2, resolves: 3 }
const prompt = { opens: 1, resolves: 1 }
const patience: Readonly<Record<AlertRow['kind'], Readonly<Record<Change, number>>>> = {
  threshold: hesitant,
  anomaly: hesitant,
  vitals: hesitant,
  goal: prompt,
  usage: prompt,
  uptime: prompt,
  ssl: prompt,
  no_data: prompt,
}

/** The state after an evaluation, and the transition that causes an event, if any. */
export function stateAfter(kind: AlertRow['kind'], { state, streak }: State, finding: Finding): State & { change: Change | null } {
  if (finding === 'unknown') return { state, streak, change: null }
  const longer = finding === 'breach' ? Math.max(streak, 0) + 1 : Math.min(streak, 0) - 1
  const { opens, resolves } = patience[kind]
  if (state === 'ok' && longer >= opens) return { state: 'triggered', streak: longer, change: 'opens' }
  if (state === 'triggered' && longer <= -resolves) return { state: 'ok', streak: longer, change: 'resolves' }
  return { state, streak: longer, change: null }
}

/** Interval between evaluations, ms. */
export function intervalOf({ window_minutes }: Pick<AlertRow, 'window_minutes'>): number {
  return Math.min(Math.max((window_minutes * MINUTE_MS) / 5, MINUTE_MS), 15 * MINUTE_MS)
}

/** The window ends this long before now, so that hits under way have arrived and closed visits are counted. */
export const SETTLE_MS = MINUTE_MS

/** Time of the next evaluation; no later than the end of a mute, when channels may have to be notified. */
export function nextEvaluation(alert: Pick<AlertRow, 'window_minutes' | 'muted_until'>, now: number): number {
  const next = now + intervalOf(alert)
  return alert.muted_until !== null && alert.muted_until > now ? Math.min(next, alert.muted_until) : next
}

/**
 * Whether to announce a firing incident to channels: when it opens, and once when a mute ends while it is open.
 * @param announcedAt when it was last announced
 */
export function isAnnounced({ muted_until }: Pick<AlertRow, 'muted_until'>, announcedAt: number | null, now: number): boolean {
  if (muted_until !== null && muted_until > now) return false
  return announcedAt === null || (muted_until !== null && announcedAt < muted_until)
}
