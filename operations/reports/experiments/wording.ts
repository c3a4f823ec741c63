/** The result of an experiment as text. */
import { ALPHA, CONFIDENCE, FEWEST_EXPECTED, UNEVEN_BELOW } from './levels.ts'
import type { Interval } from './significance.ts'

export interface Compared {
  /** Percent. */
  readonly rate: number
  readonly controlRate: number
  readonly control: string
  readonly uplift: number | null
  readonly upliftInterval: Interval | null
  readonly p: number | null
}

export const isControl = (rate: number, visitors: number): string =>
  `The control: ${number(rate)}% of ${number(visitors)} visitors converted.`

export const isTooLittle = `Too little data: the test means something once at least ${FEWEST_EXPECTED} \
visitors with and ${FEWEST_EXPECTED} without a conversion are to be expected in each of the two groups.`

export function isBetter(compared: Compared): string {
  return `Converts better than ${compared.control}: ${rates(compared)}. ${chance(compared)}`
}
export function isWorse(compared: Compared): string {
  return `Converts worse than ${compared.control}: ${rates(compared)}. ${chance(compared)}`
}
export function isUndecided(compared: Compared): string {
  return `No clear difference from ${compared.control}: ${rates(compared)}. ${chance(compared)}`
}

function rates({ rate, controlRate, uplift, upliftInterval }: Compared): string {
  const against = `${number(rate)}% against ${number(controlRate)}%`
  if (uplift === null) return against
  const within = upliftInterval && `, ${CONFIDENCE}% interval ${signed(upliftInterval.from)} to ${signed(upliftInterval.to)}`
  return `${against}, an uplift of ${signed(uplift)}${within ?? ''}`
}

function chance({ p }: Compared): string {
  if (p === null) return ''
  const said = p < 0.001 ? 'less than 0.001' : p.toFixed(3)
  return p < ALPHA
    ? `By chance, a difference like this would be rare (p ${said}).`
    : `A difference like this may well be chance (p ${said}).`
}

export const splitWords = Object.freeze({
  even: 'Visitors are split evenly, as far as the data shows.',
  uneven:
    'Visitors are not split evenly. If they were meant to be, find out why before believing the results: \
variants may be assigned, shown or counted in different ways.',
  too_little_data: 'Too little data to see whether visitors are split evenly.',
})

/** How many variants a warning names. */
const MOST_NAMED = 5

/** @param visitors of each variant, by its value */
export function unevenSplit(visitors: readonly (readonly [value: string, visitors: number])[], p: number | null): string {
  const named = visitors.slice(0, MOST_NAMED).map(([value, count]) => `${JSON.stringify(value.slice(0, 40))} ${number(count)}`)
  const shares = [...named, ...(visitors.length > MOST_NAMED ? ['…'] : [])].join(', ')
  return `Visitors are not split evenly: ${shares}. A split is called uneven where p is below ${UNEVEN_BELOW} (here ${p}). \
If it was meant to be even, find out why it is not before believing the results.`
}

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 })
const signed = (percent: number): string => `${percent > 0 ? '+' : ''}${number(percent)}%`
