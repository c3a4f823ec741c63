/** Values, windows and conditions as text for people. */
import type { AlertRow } from '../../../../storage/tables/index.ts'
import type { Operator } from '../condition.ts'

interface Test {
  meets(value: number, threshold: number): boolean
  text(threshold: string): string
}
const tests: Readonly<Record<Operator, Test>> = {
  gt: { meets: (value, threshold) => value > threshold, text: threshold => `above ${threshold}` },
  gte: { meets: (value, threshold) => value >= threshold, text: threshold => `at ${threshold} or more` },
  lt: { meets: (value, threshold) => value < threshold, text: threshold => `below ${threshold}` },
  lte: { meets: (value, threshold) => value <= threshold, text: threshold => `at ${threshold} or less` },
}

/** How a value compares to an alert's threshold. */
export function comparedToThreshold(
  { operator, threshold }: Pick<AlertRow, 'operator' | 'threshold'>,
  value: number,
  unit = '',
): { breached: boolean; against: string } {
  if (operator === null || threshold === null) throw new Error('an alert of this kind has operator and threshold')
  const { meets, text } = tests[operator]
  return { breached: meets(value, threshold), against: `alerts ${text(number(threshold) + unit)}` }
}

/** With thousands separators and at most three decimals. */
export const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 3 })

export const amount = (count: number, one: string): string => `${number(count)} ${one}${count === 1 ? '' : 's'}`

/** `45 minutes`, `24 hours`, `2 days`. */
export function minutes(count: number): string {
  if (count % 1440 === 0) return amount(count / 1440, 'day')
  return count % 60 === 0 ? amount(count / 60, 'hour') : amount(count, 'minute')
}

const traffic: Readonly<Record<string, readonly [label: string, unit: string]>> = {
  visitors: ['Visitors', ''],
  visits: ['Visits', ''],
  pageviews: ['Pageviews', ''],
  bounce_rate: ['Bounce rate', ' %'],
  conversion: ['Conversion rate', ' %'],
}

/** The measured value as a labelled fact: `Bounce rate: 74 %`, `Checks down: 1`. */
export function factOf({ kind, metric }: Pick<AlertRow, 'kind' | 'metric'>, value: number): { label: string; value: string } {
  const vital = [(metric ?? '').toUpperCase(), metric === 'cls' ? '' : ' ms'] as const
  const facts = {
    threshold: traffic[metric ?? ''] ?? ['Value', ''],
    anomaly: traffic[metric ?? ''] ?? ['Value', ''],
    goal: ['Completions', ''],
    no_data: ['Without hits', value === 1 ? ' hour' : ' hours'],
    usage: ['Used', ' %'],
    uptime: ['Checks down', ''],
    ssl: ['Certificate valid for', Math.abs(value) === 1 ? ' day' : ' days'],
    vitals: vital,
  } as const satisfies Readonly<Record<AlertRow['kind'], readonly [label: string, unit: string]>>
  const [label, unit] = facts[kind]
  return { label, value: number(value) + unit }
}

/** Rounded to one decimal, as in reports. */
export const percent = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10
