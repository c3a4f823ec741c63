/** Values, windows and conditions as people read them. */
import type { AlertRow } from '../../../../storage/tables/index.ts'
import type { Operator } from '../condition.ts'

interface Test {
  holds(value: number, threshold: number): boolean
  words(threshold: string): string
}
const tests: Readonly<Record<Operator, Test>> = {
  gt: { holds: (value, threshold) => value > threshold, words: threshold => `above ${threshold}` },
  gte: { holds: (value, threshold) => value >= threshold, words: threshold => `at ${threshold} or more` },
  lt: { holds: (value, threshold) => value < threshold, words: threshold => `below ${threshold}` },
  lte: { holds: (value, threshold) => value <= threshold, words: threshold => `at ${threshold} or less` },
}

/** How a value stands to the threshold of an alert that has one. */
export function held(
  { operator, threshold }: Pick<AlertRow, 'operator' | 'threshold'>, value: number, unit = '',
): { breached: boolean; against: string } {
  if (operator === null || threshold === null) throw new Error('an alert of this kind has operator and threshold')
  const { holds, words } = tests[operator]
  return { breached: holds(value, threshold), against: `alerts ${words(number(threshold) + unit)}` }
}

/** With a comma every three digits and at most three decimals. */
export const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 3 })

export const counted = (count: number, one: string): string => `${number(count)} ${one}${count === 1 ? '' : 's'}`

/** `45 minutes`, `24 hours`, `2 days`. */
export function minutes(count: number): string {
  if (count % 1440 === 0) return counted(count / 1440, 'day')
  return count % 60 === 0 ? counted(count / 60, 'hour') : counted(count, 'minute')
}

/** With one decimal, as reports show it. */
export const percent = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10
