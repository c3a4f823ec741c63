/** The period, the comparison and the filters of an answer in words, as the reports say them that it is made of. */
import { dateOf, localDay } from '../../../../storage/zones.ts'
import { plain } from '../figures.ts'
import { datesIn, type Days } from './days.ts'
import type { Filter } from './part.ts'
import { type Fields, fieldsOf, textOf } from './reads.ts'

const dimensionWords: Readonly<Record<string, readonly [one: string, many: string]>> = {
  page: ['page', 'pages'],
  entry_page: ['entry page', 'entry pages'],
  exit_page: ['exit page', 'exit pages'],
  source: ['source', 'sources'],
  referrer: ['referrer', 'referrers'],
  channel: ['channel', 'channels'],
  country: ['country', 'countries'],
  region: ['region', 'regions'],
  city: ['city', 'cities'],
  device: ['device', 'devices'],
  browser: ['browser', 'browsers'],
  os: ['operating system', 'operating systems'],
  language: ['language', 'languages'],
  screen: ['screen size', 'screen sizes'],
  utm_campaign: ['campaign', 'campaigns'],
  event: ['event', 'events'],
  goal: ['goal', 'goals'],
  weekday: ['weekday', 'weekdays'],
}
const named = (dimension: string, which: 0 | 1): string => {
  const property = dimension.startsWith('property:') ? dimension.slice('property:'.length) : undefined
  if (property !== undefined) return which === 0 ? `property ${plain(property)}` : `values of ${plain(property)}`
  return dimensionWords[dimension]?.[which] ?? dimension.replaceAll('_', ' ')
}
export const oneOf = (dimension: string): string => named(dimension, 0)
export const manyOf = (dimension: string): string => named(dimension, 1)

/** `, country Germany, page beginning with /blog`; empty without filters. */
export function filterWords(filters: readonly Filter[]): string {
  return filters
    .map(({ dimension, isNegative, operator, labels }) => {
      const values = labels.map(plain).join(' or ')
      return `, ${isNegative ? 'not ' : ''}${oneOf(dimension)} ${operator === 'starts_with' ? 'beginning with ' : ''}${values}`
    })
    .join('')
}

/** As reports take them. */
export const filterInput = (filters: readonly Filter[]): unknown[] =>
  filters.map(({ dimension, isNegative, operator, values }) => {
    if (operator === 'starts_with') return [dimension, 'starts_with', values[0] ?? '']
    if (values.length > 1) return [dimension, isNegative ? 'none_of' : 'any_of', values]
    return [dimension, isNegative ? 'is_not' : 'is', values[0] ?? '']
  })

/** The range that was counted: `last week (9–15 November 2026)`. */
export function periodWords(data: unknown, { words }: Days, zone: string, now: number): string {
  const period = fieldsOf(fieldsOf(data).period)
  const [from, to] = [Date.parse(textOf(period, 'from')), Date.parse(textOf(period, 'to'))]
  const [first, last] = [localDay(zone, from).day, localDay(zone, to - 1).day]
  const dates = datesIn(first, last)
  const isOn = last === localDay(zone, now).day && to < localDay(zone, now).endsAt
  const upTo = isOn ? `, up to ${clock(to, zone)}` : ''
  return words === undefined ? `${dates}${upTo}` : `${words} (${dates}${upTo})`
}

/** The range that was compared with; undefined without one. */
export function comparisonWords(meta: Fields): string | undefined {
  const { comparison } = meta
  const fields = fieldsOf(comparison)
  const [from, to, until] = [textOf(fields, 'from'), textOf(fields, 'to'), textOf(fields, 'until')]
  if (from === '') return undefined
  const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000
  return `${datesIn(day(from), day(to))}${until === '' ? '' : `, up to ${until}`}`
}

const clock = (at: number, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(at)

/** A point of a series, by the text with the offset of its site. */
export function pointWords(at: string, interval: string): string {
  const wall = new Date(`${at.slice(0, 19)}Z`)
  const as = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(wall)
  const date = { day: 'numeric', month: 'long', year: 'numeric' } as const
  if (interval === 'hour' || interval === 'minute') return `${as({ hour: '2-digit', minute: '2-digit' })} on ${as(date)}`
  if (interval === 'day') return as({ weekday: 'long', ...date })
  if (interval === 'week') return `the week from ${as(date)}`
  if (interval === 'month') return as({ month: 'long', year: 'numeric' })
  if (interval === 'quarter') return `the quarter from ${as({ month: 'long', year: 'numeric' })}`
  return as({ year: 'numeric' })
}

export const dayText = dateOf
