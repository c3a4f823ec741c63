/** The period, the comparison and the filters of an answer in words, as the reports say them that it is made of. */
import { labelSaid } from '../../../../runtime/texts/code-names.ts'
import type { PlainMessage, Sentence } from '../../../../runtime/texts/message.ts'
import { m } from '../messages.ts'
import { localDay } from '../../../../storage/calendar/zones.ts'
import { DAY_MS } from '../../../../storage/values/durations.ts'
import { plain } from '../figures.ts'
import type { Days } from './days.ts'
import type { Filter } from './part.ts'
import { type Fields, fieldsOf, textOf } from './reads.ts'
import type { Say } from '../../../../runtime/texts/say.ts'

const dimensionWords: Readonly<Record<string, { readonly one: PlainMessage; readonly many: PlainMessage }>> = {
  page: { one: m.thing_page, many: m.things_page },
  entry_page: { one: m.thing_entry_page, many: m.things_entry_page },
  exit_page: { one: m.thing_exit_page, many: m.things_exit_page },
  source: { one: m.thing_source, many: m.things_source },
  referrer: { one: m.thing_referrer, many: m.things_referrer },
  channel: { one: m.thing_channel, many: m.things_channel },
  country: { one: m.thing_country, many: m.things_country },
  region: { one: m.thing_region, many: m.things_region },
  city: { one: m.thing_city, many: m.things_city },
  device: { one: m.thing_device, many: m.things_device },
  browser: { one: m.thing_browser, many: m.things_browser },
  os: { one: m.thing_os, many: m.things_os },
  language: { one: m.thing_language, many: m.things_language },
  screen: { one: m.thing_screen, many: m.things_screen },
  utm_campaign: { one: m.thing_utm_campaign, many: m.things_utm_campaign },
  utm_source: { one: m.thing_utm_source, many: m.things_utm_source },
  utm_medium: { one: m.thing_utm_medium, many: m.things_utm_medium },
  utm_term: { one: m.thing_utm_term, many: m.things_utm_term },
  utm_content: { one: m.thing_utm_content, many: m.things_utm_content },
  event: { one: m.thing_event, many: m.things_event },
  goal: { one: m.thing_goal, many: m.things_goal },
  weekday: { one: m.thing_weekday, many: m.things_weekday },
  network: { one: m.thing_network, many: m.things_network },
  hostname: { one: m.thing_hostname, many: m.things_hostname },
}
/** Noun for one value of a dimension, or for many. */
export function dimensionMessage(dimension: string, which: 'one' | 'many'): Sentence {
  const key = dimension.startsWith('property:') ? plain(dimension.slice('property:'.length)) : undefined
  if (key !== undefined) return which === 'one' ? m.property({ key }) : m.values_of({ key })
  return dimensionWords[dimension]?.[which]() ?? dimension.replaceAll('_', ' ')
}
export const oneOf = (say: Say, dimension: string): string => say(dimensionMessage(dimension, 'one'))
export const manyOf = (say: Say, dimension: string): string => say(dimensionMessage(dimension, 'many'))

/** Name of a value, escaped for Markdown. */
export const labelWords = (say: Say, dimension: string, row: Fields): string => plain(labelOf(say, dimension, row))
export const labelOf = (say: Say, dimension: string, row: Fields): string =>
  labelSaid({ dimension, value: textOf(row, 'value'), label: textOf(row, 'label'), reader: say })

/** `, country Germany, page beginning with /blog`; empty without filters. */
export function filterWords(say: Say, filters: readonly Filter[]): string {
  return filters
    .map(({ dimension, isNegative, operator, values, labels }) => {
      const called = labels.map((label, i) => plain(labelSaid({ dimension, value: values[i] ?? label, label, reader: say })))
      const condition = { thing: oneOf(say, dimension), values: listed(say, called, 'disjunction') }
      if (operator === 'starts_with') return isNegative ? say(m.not_beginning_with, condition) : say(m.beginning_with, condition)
      return isNegative ? say(m.not_being, condition) : say(m.being, condition)
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
  const [first, last] = [new Date(from * DAY_MS), new Date(to * DAY_MS)]
  return from === to ? format.format(first) : format.formatRange(first, last)
}

interface PeriodWords {
  readonly data: unknown
  readonly days: Days
  readonly zone: string
  readonly now: number
}

/** The range that was counted: `last week (9–15 November 2026)`. */
export function periodWords(say: Say, { data, days: { words }, zone, now }: PeriodWords): string {
  const period = fieldsOf(fieldsOf(data).period)
  const [from, to] = [Date.parse(textOf(period, 'from')), Date.parse(textOf(period, 'to'))]
  const [first, last] = [localDay(zone, from).day, localDay(zone, to - 1).day]
  const isOn = last === localDay(zone, now).day && to < localDay(zone, now).endsAt
  const dates = isOn ? upTo(say, datesIn(say, first, last), clock(to, zone)) : datesIn(say, first, last)
  return words === undefined ? dates : `${say(words)} (${dates})`
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
  return compared.from === compared.to ? say(m.on_day, { days }) : say(m.in_days, { days })
}

function comparedDays(meta: Fields): { from: number; to: number; until: string } | undefined {
  const fields = fieldsOf(meta.comparison)
  const [from, to, until] = [textOf(fields, 'from'), textOf(fields, 'to'), textOf(fields, 'until')]
  const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS
  return from === '' ? undefined : { from: day(from), to: day(to), until }
}

const upTo = (say: Say, days: string, time: string): string => say(m.up_to, { days, time })

const clock = (at: number, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(at)

/** A point of a series, by the text with the offset of its site. */
export function pointWords(say: Say, at: string, interval: string): string {
  const wall = new Date(`${at.slice(0, 19)}Z`)
  const as = (options: Intl.DateTimeFormatOptions) => dateIn(say, options).format(wall)
  const month = { month: 'long', year: 'numeric' } as const
  if (interval === 'hour' || interval === 'minute')
    return say(m.time_on_day, { time: as({ hour: '2-digit', minute: '2-digit' }), day: as(date) })
  if (interval === 'day') return as({ weekday: 'long', ...date })
  if (interval === 'week') return say(m.week_from, { day: as(date) })
  if (interval === 'month') return as(month)
  if (interval === 'quarter') return say(m.quarter_from, { month: as(month) })
  return as({ year: 'numeric' })
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
/** Words that end as a sentence does. */
export const sentence = (text: string): string => `${capital(text)}.`
