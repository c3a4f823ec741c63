/** Values, windows and conditions as messages. */
import type { Message } from '../../../../runtime/texts/message.ts'
import type { AlertRow } from '../../../../storage/tables/index.ts'
import type { Operator } from '../condition.ts'
import { m } from '../messages.ts'

/** A number with its unit. */
type Unit = (params: { value: number }) => Message

interface Test {
  meets(value: number, threshold: number): boolean
  text(params: { threshold: Message }): Message
}
const tests: Readonly<Record<Operator, Test>> = {
  gt: { meets: (value, threshold) => value > threshold, text: m.alerts_above },
  gte: { meets: (value, threshold) => value >= threshold, text: m.alerts_from },
  lt: { meets: (value, threshold) => value < threshold, text: m.alerts_below },
  lte: { meets: (value, threshold) => value <= threshold, text: m.alerts_up_to },
}

/** How a value compares to an alert's threshold. */
export function comparedToThreshold(
  { operator, threshold }: Pick<AlertRow, 'operator' | 'threshold'>,
  value: number,
  unit: Unit = m.number,
): { breached: boolean; against: Message } {
  if (operator === null || threshold === null) throw new Error('an alert of this kind has operator and threshold')
  const { meets, text } = tests[operator]
  return { breached: meets(value, threshold), against: text({ threshold: unit({ value: threshold }) }) }
}

/** `45 minutes`, `24 hours`, `2 days`. */
export function minutes(count: number): Message {
  if (count % 1440 === 0) return m.days({ count: count / 1440 })
  return count % 60 === 0 ? m.hours({ count: count / 60 }) : m.minutes({ count })
}

/** `1 day`, `14 days`, as the unit of a threshold. */
export const days: Unit = ({ value }) => m.days({ count: value })
const hours: Unit = ({ value }) => m.hours({ count: value })

/** The unit of a web vital. */
export const vitalUnit = ({ metric }: Pick<AlertRow, 'metric'>): Unit => (metric === 'cls' ? m.number : m.milliseconds)

const traffic: Readonly<Record<string, readonly [label: () => Message, unit: Unit]>> = {
  visitors: [m.visitors, m.number],
  visits: [m.visits, m.number],
  pageviews: [m.pageviews, m.number],
  bounce_rate: [m.bounce_rate, m.percent],
  conversion: [m.conversion_rate, m.percent],
}

/** The measured value as a labelled fact: `Bounce rate: 74 %`, `Checks down: 1`. */
export function factOf(alert: Pick<AlertRow, 'kind' | 'metric'>, value: number): { label: Message | string; value: Message } {
  const { kind, metric } = alert
  const ofTraffic = traffic[metric ?? ''] ?? ([m.value, m.number] as const)
  const facts = {
    threshold: ofTraffic,
    anomaly: ofTraffic,
    goal: [m.completions, m.number],
    no_data: [m.without_hits, hours],
    usage: [m.used, m.percent],
    uptime: [m.checks_down_label, m.number],
    ssl: [m.certificate_valid_for, days],
    vitals: [() => (metric ?? '').toUpperCase(), vitalUnit(alert)],
  } as const satisfies Readonly<Record<AlertRow['kind'], readonly [label: () => Message | string, unit: Unit]>>
  const [label, unit] = facts[kind]
  return { label: label(), value: unit({ value }) }
}

/** Rounded to one decimal, as in reports. */
export const percent = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10
