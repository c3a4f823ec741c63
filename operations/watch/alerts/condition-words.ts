/** The condition of an alert in words: `Visitors below 10, within 1 hour`. */
import type { Static } from '../../../runtime/table/schema.ts'
import { inUnit, timeSpan, type Viewer } from '../../../runtime/ui/format.ts'
import { fieldWords, valueWords } from '../../../runtime/ui/words.ts'
import type { Kind, Operator } from './condition.ts'
import type { Alert } from './records.ts'
import { isRatio, thresholdUnit } from './threshold-unit.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import { ui } from '../../../runtime/ui/messages.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

export type Watched = Static<typeof Alert>
type Names = ReadonlyMap<string, string>

const limits = { gt: m.is_above, gte: m.is_at_least, lt: m.is_below, lte: m.is_at_most } as const satisfies Record<Operator, unknown>
/** How an anomaly differs, by its side. */
const unusual = { counts: { lt: m.is_fewer, gt: m.is_more }, rates: { lt: m.is_lower, gt: m.is_higher } } as const
/** Names for what kinds without a metric watch. */
const subjects: Readonly<Partial<Record<Kind, PlainMessage>>> = { usage: m.limit_used, ssl: m.certificate_days, uptime: ui.uptime }

/** @param names of goals by their ids */
export function conditionWords(alert: Watched, viewer: Viewer, names: Names): string {
  const condition = limitWords(alert, viewer, names)
  // Its threshold is a time already.
  if (alert.kind === 'no_data') return condition
  return say(viewer, m.within_time, { condition, time: timeSpan(alert.window_minutes, viewer) })
}

/** The condition without its window. */
export function limitWords(alert: Watched, viewer: Viewer, names: Names): string {
  const what = subjectWords(alert, viewer, names)
  if (alert.kind === 'anomaly') {
    const { lt, gt } = isRatio(alert.metric) ? unusual.rates : unusual.counts
    const side = alert.operator === 'lt' ? lt : alert.operator === 'gt' ? gt : m.is_unusual
    return say(viewer, side({ what, sensitivity: valueWords(alert.sensitivity, viewer) }))
  }
  if (alert.threshold === null) return what
  if (alert.kind === 'no_data') return say(viewer, m.no_hits_for, { time: timeSpan(alert.threshold * 60, viewer) })
  const value = inUnit(alert.threshold, thresholdUnit(alert), viewer)
  return alert.operator ? say(viewer, limits[alert.operator], { what, value }) : `${what} ${value}`
}

function subjectWords({ kind, metric, goal_id }: Watched, viewer: Viewer, names: Names): string {
  if (kind === 'goal') {
    const goal = names.get(goal_id ?? '')
    return goal === undefined ? say(viewer, m.goal_completions) : say(viewer, m.completions_of, { goal })
  }
  if (kind === 'vitals') return metric?.toUpperCase() ?? ''
  const subject = subjects[kind]
  if (subject) return say(viewer, subject)
  return fieldWords(metric === 'conversion' ? 'conversion_rate' : (metric ?? kind), viewer)
}
