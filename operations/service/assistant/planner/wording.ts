/** The period, the comparison and the filters of an answer in words, as the reports say them that it is made of. */
import { labelSaid } from '../../../../runtime/texts/code-names.ts'
import { phrases, type Say, told } from '../../../../runtime/texts/index.ts'
import { localDay } from '../../../../storage/calendar/zones.ts'
import { plain } from '../figures.ts'
import type { Days } from './days.ts'
import type { Filter } from './part.ts'
import { type Fields, fieldsOf, textOf } from './reads.ts'

const dimensionWords: Readonly<Record<string, { readonly one: string; readonly many: string }>> = {
  page: phrases({ one: 'page', many: 'pages' }),
  entry_page: phrases({ one: 'entry page', many: 'entry pages' }),
  exit_page: phrases({ one: 'exit page', many: 'exit pages' }),
  source: phrases({ one: 'source', many: 'sources' }),
  referrer: phrases({ one: 'referrer', many: 'referrers' }),
  channel: phrases({ one: 'channel', many: 'channels' }),
  country: phrases({ one: 'country', many: 'countries' }),
  region: phrases({ one: 'region', many: 'regions' }),
  city: phrases({ one: 'city', many: 'cities' }),
  device: phrases({ one: 'device', many: 'devices' }),
  browser: phrases({ one: 'browser', many: 'browsers' }),
  os: phrases({ one: 'operating system', many: 'operating systems' }),
  language: phrases({ one: 'language', many: 'languages' }),
  screen: phrases({ one: 'screen size', many: 'screen sizes' }),
  utm_campaign: phrases({ one: 'campaign', many: 'campaigns' }),
  utm_source: phrases({ one: 'UTM source', many: 'UTM sources' }),
  utm_medium: phrases({ one: 'UTM medium', many: 'UTM mediums' }),
  utm_term: phrases({ one: 'UTM term', many: 'UTM terms' }),
  utm_content: phrases({ one: 'UTM content', many: 'UTM contents' }),
  event: phrases({ one: 'event', many: 'events' }),
  goal: phrases({ one: 'goal', many: 'goals' }),
  weekday: phrases({ one: 'weekday', many: 'weekdays' }),
  hostname: phrases({ one: 'hostname', many: 'hostnames' }),
}
function named(say: Say, dimension: string, which: 'one' | 'many'): string {
  const key = dimension.startsWith('property:') ? plain(dimension.slice('property:'.length)) : undefined
  if (key !== undefined) return which === 'one' ? say('property {key}', { key }) : say('values of {key}', { key })
  const words = dimensionWords[dimension]?.[which]
  return words === undefined ? dimension.replaceAll('_', ' ') : say(words)
}
export const oneOf = (say: Say, dimension: string): string => named(say, dimension, 'one')
export const manyOf = (say: Say, dimension: string): string => named(say, dimension, 'many')

/** What a value is called, escaped for Markdown. */
export const labelWords = (say: Say, dimension: string, row: Fields): string => plain(labelOf(say, dimension, row))
export const labelOf = (say: Say, dimension: string, row: Fields): string =>
  labelSaid(dimension, textOf(row, 'value'), textOf(row, 'label'), say)

/** `, country Germany, page beginning with /blog`; empty without filters. */
export function filterWords(say: Say, filters: readonly Filter[]): string {
  return filters
    .map(({ dimension, isNegative, operator, values, labels }) => {
      const called = labels.map((label, i) => plain(labelSaid(dimension, values[i] ?? label, label, say)))
      const condition = { thing: oneOf(say, dimension), values: listed(say, called, 'disjunction') }
      if (operator === 'starts_with')
        return isNegative ? say(', not {thing} beginning with {values}', condition) : say(', {thing} beginning with {values}', condition)
      return isNegative ? say(', not {thing} {values}', condition) : say(', {thing} {values}', condition)
    })
    .join('')
}

/** `a, b or c`, `a, b and c` */
export const listed = (say: Say, texts: readonly string[], type: 'conjunction' | 'disjunction'): string =>
  new Intl.ListFormat(dateLocale(say), { type }).format(texts)

/** As reports take them. */
export const filterInput = (filters: readonly Filter[]): unknown[] =>
  filters.map(({ dimension, isNegative, operator, values }) => {
    if (operator === 'starts_with') return [dimension, 'starts_with', values[0] ?? '']
    if (values.length > 1) return [dimension, isNegative ? 'none_of' : 'any_of', values]
    return [dimension, isNegative ? 'is_not' : 'is', values[0] ?? '']
  })

/** Dates have the day first in the English of answers. */
const dateLocale = ({ locale }: Say): string => (locale === 'en' ? 'en-GB' : locale)
const dateIn = (say: Say, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(dateLocale(say), { ...options, timeZone: 'UTC' })
const date = { day: 'numeric', month: 'long', year: 'numeric' } as const

/** `9–15 November 2026`. Days by number (zones.ts), both included. */
export function datesIn(say: Say, from: number, to: number): string {
  const format = dateIn(say, date)
  const [first, last] = [new Date(from * 86_400_000), new Date(to * 86_400_000)]
  return from === to ? format.format(first) : format.formatRange(first, last)
}

/** The range that was counted: `last week (9–15 November 2026)`. */
export function periodWords(say: Say, data: unknown, { words }: Days, zone: string, now: number): string {
  const period = fieldsOf(fieldsOf(data).period)
  const [from, to] = [Date.parse(textOf(period, 'from')), Date.parse(textOf(period, 'to'))]
  const [first, last] = [localDay(zone, from).day, localDay(zone, to - 1).day]
  const isOn = last === localDay(zone, now).day && to < localDay(zone, now).endsAt
  const dates = isOn ? upTo(say, datesIn(say, first, last), clock(to, zone)) : datesIn(say, first, last)
  return words === undefined ? dates : `${told(say, words)} (${dates})`
}

/** The range that was compared with; undefined without one. */
export function comparisonWords(say: Say, meta: Fields): string | undefined {
  const compared = comparedDays(meta)
  if (!compared) return undefined
  const { from, to, until } = compared
  return until === '' ? datesIn(say, from, to) : upTo(say, datesIn(say, from, to), until)
}

/** `in 9–15 November 2026`, `on 15 November 2026`; undefined without a comparison. */
export function comparedWhen(say: Say, meta: Fields): string | undefined {
  const compared = comparedDays(meta)
  const days = comparisonWords(say, meta)
  if (!compared || days === undefined) return undefined
  return compared.from === compared.to ? say('on {days}', { days }) : say('in {days}', { days })
}

function comparedDays(meta: Fields): { from: number; to: number; until: string } | undefined {
  const fields = fieldsOf(meta.comparison)
  const [from, to, until] = [textOf(fields, 'from'), textOf(fields, 'to'), textOf(fields, 'until')]
  const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000
  return from === '' ? undefined : { from: day(from), to: day(to), until }
}

const upTo = (say: Say, days: string, time: string): string => say('{days}, up to {time}', { days, time })

const clock = (at: number, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(at)

/** A point of a series, by the text with the offset of its site. */
export function pointWords(say: Say, at: string, interval: string): string {
  const wall = new Date(`${at.slice(0, 19)}Z`)
  const as = (options: Intl.DateTimeFormatOptions) => dateIn(say, options).format(wall)
  const month = { month: 'long', year: 'numeric' } as const
  if (interval === 'hour' || interval === 'minute')
    return say('{time} on {day}', { time: as({ hour: '2-digit', minute: '2-digit' }), day: as(date) })
  if (interval === 'day') return as({ weekday: 'long', ...date })
  if (interval === 'week') return say('the week from {day}', { day: as(date) })
  if (interval === 'month') return as(month)
  if (interval === 'quarter') return say('the quarter from {month}', { month: as(month) })
  return as({ year: 'numeric' })
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
/** Words that end as a sentence does. */
export const sentence = (text: string): string => `${capital(text)}.`
