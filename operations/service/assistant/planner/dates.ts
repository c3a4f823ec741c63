/** Dates in a question: `last week`, `since monday`, `between 1 and 15 october`, `in q3`. */
import { calendar } from '../../../reports/stats/index.ts'
import { dayOf } from '../../../../storage/calendar/zones.ts'
import { DAY_MS } from '../../../../storage/values/durations.ts'
import { type Days, type DayUnit, lastUnit, thisUnit, lastDays, lastMonths, monthsBefore, type Today, unitAt, unitFrom } from './days.ts'
import type { Word } from './words.ts'
import { m } from '../messages.ts'
import type { Message } from '../../../../runtime/texts/message.ts'

export type DateFound =
  | { readonly length: number; readonly days: Days; readonly since?: Days }
  | { readonly length: number; readonly message: Message }

const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const weekdayWords = [m.monday, m.tuesday, m.wednesday, m.thursday, m.friday, m.saturday, m.sunday] as const
const numberNames =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )
const units: Readonly<Record<string, DayUnit>> = {
  day: 'day',
  days: 'day',
  week: 'week',
  weeks: 'week',
  month: 'month',
  months: 'month',
  quarter: 'quarter',
  quarters: 'quarter',
  year: 'year',
  years: 'year',
}

/** Words of dates, for slips of typing. */
export const dateWords: readonly string[] = [
  ...monthNames,
  ...weekdayNames,
  ...Object.keys(units),
  'today',
  'yesterday',
  'weekend',
  'last',
  'past',
  'previous',
  'this',
  'since',
  'between',
  'until',
  'before',
  'hours',
]

const short = (names: readonly string[], text: string): number => {
  if (text.length < 3) return -1
  const exact = names.indexOf(text)
  if (exact >= 0) return exact
  return text === 'sept'
    ? 8
    : text.length === 3 || (names === weekdayNames && /^(tues|thur|thurs)$/.test(text))
      ? names.findIndex(name => name.startsWith(text))
      : -1
}

export function numberIn(text: string): number | undefined {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  const named = numberNames.indexOf(text)
  return named >= 0 ? named + 1 : undefined
}

/** A day of a month: `5`, `5th`. */
const dayNumber = (text: string): number | undefined => {
  const [, number] = /^(\d{1,2})(st|nd|rd|th)?$/.exec(text) ?? []
  return number === undefined ? undefined : Number(number)
}
const yearNumber = (text: string): number | undefined => (/^(19|20|21)\d\d$/.test(text) ? Number(text) : undefined)

const dayFrom = (year: number, month: number, day: number): number | undefined => {
  const at = new Date(Date.UTC(year, month, day))
  return at.getUTCMonth() === month && at.getUTCDate() === day ? at.getTime() / DAY_MS : undefined
}

/** @param isLed whether the word before it introduces a date: `may` is a month then */
type Rule = (words: readonly string[], today: Today, isLed: boolean) => DateFound | undefined

const found = (length: number, days: Days): DateFound => ({ length, days })
const future = (length: number): DateFound => ({ length, message: m.in_the_future() })
const checked = (length: number, days: Days, { today }: Today): DateFound =>
  days.from > today ? future(length) : found(length, { ...days, to: Math.min(days.to, today) })

/** `2026-11-10` */
const isoDate: Rule = ([word = ''], today) => {
  if (!/^\d{4}-\d\d-\d\d$/.test(word)) return undefined
  const day = dayOf(word)
  return day === null ? { length: 1, message: m.no_date({ word }) } : checked(1, { from: day, to: day, unit: 'day' }, today)
}

/** `3 november`, `the 5th of october 2026`, `november 3` */
const dayOfMonth: Rule = (words, today) => {
  const skip = words[0] === 'the' ? 1 : 0
  const at = (i: number) => words[skip + i] ?? ''
  const ofFirst = at(1) === 'of' ? 1 : 0
  const first = dayNumber(at(0))
  const [day, month, used] =
    first !== undefined && short(monthNames, at(1 + ofFirst)) >= 0
      ? [first, short(monthNames, at(1 + ofFirst)), 2 + ofFirst]
      : short(monthNames, at(0)) >= 0 && dayNumber(at(1)) !== undefined
        ? [dayNumber(at(1)) ?? 0, short(monthNames, at(0)), 2]
        : [0, -1, 0]
  if (month < 0) return undefined
  const given = yearNumber(at(used))
  const length = skip + used + (given === undefined ? 0 : 1)
  const now = new Date(today.today * DAY_MS).getUTCFullYear()
  const thisYear = dayFrom(given ?? now, month, day)
  const from = given === undefined && thisYear !== undefined && thisYear > today.today ? dayFrom(now - 1, month, day) : thisYear
  if (from === undefined) return { length, message: m.no_such_day({ day }) }
  return checked(length, { from, to: from, unit: 'day' }, today)
}

/** `october`, `march 2025`, `last october`, `october last year`, `the first week of october` */
const month: Rule = (words, today, isLed) => {
  let i = 0
  const isFirstWeek = /^(the )?first week (of|in) /.test(words.slice(0, 5).join(' '))
  if (isFirstWeek) i = words.indexOf('week') + 2
  const isLast = words[i] === 'last' || words[i] === 'this'
  if (isLast) i++
  const index = short(monthNames, words[i] ?? '')
  if (index < 0 || (words[i] === 'may' && i === 0 && !isLed && yearNumber(words[1] ?? '') === undefined)) return undefined
  i++
  const now = new Date(today.today * DAY_MS)
  const ofYear = yearNumber(words[i] ?? '')
  const relative = words[i] === 'last' && words[i + 1] === 'year' ? -1 : words[i] === 'this' && words[i + 1] === 'year' ? 0 : undefined
  if (ofYear !== undefined) i++
  else if (relative !== undefined) i += 2
  const year =
    ofYear ?? (relative === undefined ? now.getUTCFullYear() - (index > now.getUTCMonth() ? 1 : 0) : now.getUTCFullYear() + relative)
  const from = Date.UTC(year, index, 1) / DAY_MS
  if (isFirstWeek) return checked(i, { from, to: from + 6 }, today)
  return from > today.today ? future(i) : found(i, unitFrom('month', from, today))
}
/** `2025` */
const year: Rule = ([word = ''], today) => {
  const number = yearNumber(word)
  if (number === undefined) return undefined
  const from = Date.UTC(number, 0, 1) / DAY_MS
  return from > today.today ? future(1) : found(1, unitFrom('year', from, today))
}

/** `q3`, `q1 2026`, `the third quarter of 2025` */
const quarter: Rule = (words, today) => {
  let i = words[0] === 'the' ? 1 : 0
  const [, short] = /^q([1-4])$/.exec(words[i] ?? '') ?? []
  const ordinal = ['first', 'second', 'third', 'fourth'].indexOf(words[i] ?? '')
  if (short === undefined && !(ordinal >= 0 && words[i + 1] === 'quarter')) return undefined
  const index = short === undefined ? ordinal : Number(short) - 1
  i += short === undefined ? 2 : 1
  if (words[i] === 'of') i++
  const now = new Date(today.today * DAY_MS)
  const given = yearNumber(words[i] ?? '')
  const isLastYear = words[i] === 'last' && words[i + 1] === 'year'
  if (given !== undefined) i++
  else if (isLastYear) i += 2
  else if (words[i - 1] === 'of') i--
  const thisYear = now.getUTCFullYear() - (isLastYear ? 1 : 0)
  const of = given ?? (index * 3 > now.getUTCMonth() ? thisYear - 1 : thisYear)
  const from = Date.UTC(of, index * 3, 1) / DAY_MS
  return from > today.today ? future(i) : found(i, unitFrom('quarter', from, today))
}

/** Phrases of one meaning. */
const phrases: readonly (readonly [phrase: string, days: (today: Today) => Days])[] = [
  ['today', today => unitAt({ unit: 'day', today, by: 0, words: m.today() })],
  ['day before yesterday', today => unitAt({ unit: 'day', today, by: -2 })],
  ['yesterday', today => unitAt({ unit: 'day', today, by: -1, words: m.yesterday() })],
  ['week before last', today => unitAt({ unit: 'week', today, by: -2, words: m.week_before_last() })],
  ['month before last', today => unitAt({ unit: 'month', today, by: -2, words: m.month_before_last() })],
  ['last fortnight', today => lastDays(14, today)],
  ['past fortnight', today => lastDays(14, today)],
  ['year to date', today => unitAt({ unit: 'year', today, by: 0, words: m.this_year() })],
  ['ytd', today => unitAt({ unit: 'year', today, by: 0, words: m.this_year() })],
  ['month to date', today => unitAt({ unit: 'month', today, by: 0, words: m.this_month() })],
  ['mtd', today => unitAt({ unit: 'month', today, by: 0, words: m.this_month() })],
  ['quarter to date', today => unitAt({ unit: 'quarter', today, by: 0, words: m.this_quarter() })],
  ['qtd', today => unitAt({ unit: 'quarter', today, by: 0, words: m.this_quarter() })],
  ['week to date', today => unitAt({ unit: 'week', today, by: 0, words: m.this_week() })],
  ['all time', allTime],
  ['of all time', allTime],
  ['ever', allTime],
  ['since ever', allTime],
  ['since the beginning', allTime],
  ['since the start', allTime],
  ['from the beginning', allTime],
]
function allTime({ today }: Today): Days {
  return { from: today, to: today, period: 'all', words: m.all_time() }
}
const phrase: Rule = (words, today) => {
  const skip = words[0] === 'the' ? 1 : 0
  const text = `${words.slice(skip, skip + 4).join(' ')} `
  const [first] = phrases.filter(([each]) => text.startsWith(`${each} `)).toSorted(([a], [b]) => b.length - a.length)
  return first && found(skip + first[0].split(' ').length, first[1](today))
}

/** `this week`, `last month`, `the past year`, `next week` */
const relativeUnit: Rule = (words, today) => {
  const skip = words[0] === 'the' ? 1 : 0
  const [which = '', name = ''] = words.slice(skip)
  const unit = units[name]
  const length = skip + 2
  if (unit === undefined || unit === 'day' || name.endsWith('s')) {
    if (name === 'weekend') return weekendAt(which, length, today)
    return which === 'next' && short(weekdayNames, name) >= 0 ? future(length) : undefined
  }
  if (which === 'this' || which === 'current') return found(length, unitAt({ unit, today, by: 0, words: thisUnit[unit]() }))
  if (which === 'last') return found(length, unitAt({ unit, today, by: -1, words: lastUnit[unit]() }))
  if (which === 'past') {
    if (unit === 'week') return found(length, lastDays(7, today))
    return unit === 'month'
      ? found(length, lastDays(30, today))
      : unit === 'quarter'
        ? found(length, lastMonths(3, today))
        : found(length, lastMonths(12, today))
  }
  return which === 'next' || which === 'coming' ? future(length) : undefined
}

/** The weekend that was over last, or the one that is. */
function weekendAt(which: string, length: number, today: Today): DateFound | undefined {
  if (which !== 'last' && which !== 'past' && which !== 'this' && which !== 'next') return undefined
  const saturday = today.today - calendar.daysSince(6, today.today)
  const isNow = today.today - saturday < 2
  if (which === 'next') return future(length)
  if (which === 'this') return isNow ? found(length, { from: saturday, to: today.today, words: m.this_weekend() }) : future(length)
  const from = isNow ? saturday - 7 : saturday
  return found(length, { from, to: from + 1, words: m.last_weekend() })
}
const weekend: Rule = (words, today) => {
  const skip = words[0] === 'the' ? 1 : 0
  return words[skip] === 'weekend' ? weekendAt('last', skip + 1, today) : undefined
}

/** `last 7 days`, `the past two weeks`, `last 24 hours`, `previous 30 days` */
const lastMany: Rule = (words, today) => {
  const skip = words[0] === 'the' ? 1 : 0
  const [which = '', count = '', name = ''] = words.slice(skip)
  if (!['last', 'past', 'previous', 'preceding', 'prior'].includes(which)) return undefined
  const [, joined, letter] = /^(\d{1,4})(d|days|w|m|mo|y|h)$/.exec(count) ?? []
  const number = joined === undefined ? (count === 'few' || count === 'couple' ? undefined : numberIn(count)) : Number(joined)
  const unit =
    joined === undefined
      ? name.replace(/s$/, '')
      : ({ d: 'day', days: 'day', w: 'week', m: 'month', mo: 'month', y: 'year', h: 'hour' } as const)[letter ?? '']
  if (number === undefined || number < 1 || number > 4_000 || unit === undefined) return undefined
  const length = skip + (joined === undefined ? 3 : 2)
  if (unit === 'hour')
    return number === 24 ? found(length, { from: today.today - 1, to: today.today, period: '24h', words: m.last_24_hours() }) : undefined
  if (which !== 'last' && which !== 'past') {
    const count = unit === 'day' ? number : unit === 'week' ? 7 * number : 0
    const days = { from: today.today - 2 * count + 1, to: today.today - count, words: m.days_before_the_last({ count }) }
    return count > 0 ? found(length, days) : undefined
  }
  if (unit === 'day') return found(length, lastDays(number, today))
  if (unit === 'week') return found(length, lastDays(7 * number, today))
  if (unit === 'month') return found(length, lastMonths(number, today))
  if (unit === 'quarter') return found(length, lastMonths(3 * number, today))
  return unit === 'year' ? found(length, lastMonths(12 * number, today)) : undefined
}
/** `7d`, `30 days` */
const bareDays: Rule = ([word = '', next = ''], today) => {
  const [, days] = /^(\d{1,3})d$/.exec(word) ?? []
  if (days !== undefined) return found(1, lastDays(Number(days), today))
  return /^\d{1,3}$/.test(word) && next === 'days' ? found(2, lastDays(Number(word), today)) : undefined
}

/** `two days ago`, `3 weeks ago` */
const ago: Rule = ([count = '', name = '', ago = ''], today) => {
  const number = count === 'a' || count === 'one' ? 1 : numberIn(count)
  const unit = units[name]
  return ago === 'ago' && number !== undefined && number < 4_000 && unit !== undefined
    ? found(3, unitAt({ unit, today, by: -number }))
    : undefined
}

/** `on tuesday`, `last friday`, `tuesday last week` */
const weekday: Rule = (words, today) => {
  const skip = words[0] === 'last' || words[0] === 'this' || words[0] === 'past' ? 1 : 0
  const index = short(weekdayNames, words[skip] ?? '')
  if (index < 0 || (/^(sun|sat|mon|wed)$/.test(words[skip] ?? '') && skip === 0)) return undefined
  const iso = index + 1
  const rest = words.slice(skip + 1, skip + 4).filter(word => word !== 'of')
  const ofs = words[skip + 1] === 'of' ? 1 : 0
  if ((rest[0] === 'last' || rest[0] === 'this') && rest[1] === 'week' && skip === 0) {
    const week = unitAt({ unit: 'week', today, by: rest[0] === 'last' ? -1 : 0 })
    const day = week.from + ((iso - calendar.weekday(week.from) + 7) % 7)
    return checked(skip + 3 + ofs, { from: day, to: day, unit: 'day', words: weekdayWords[index]?.() ?? m.today() }, today)
  }
  const back = calendar.daysSince(iso, today.today) || 7
  const day = today.today - back
  return found(skip + 1, { from: day, to: day, unit: 'day', words: weekdayWords[index]?.() ?? m.today() })
}

/** Dates in the future. */
const tomorrow: Rule = ([word = '']) => (word === 'tomorrow' ? future(1) : undefined)

const single: readonly Rule[] = [
  isoDate,
  phrase,
  relativeUnit,
  lastMany,
  ago,
  dayOfMonth,
  month,
  quarter,
  weekday,
  weekend,
  bareDays,
  year,
  tomorrow,
]

function one(words: readonly string[], today: Today, isLed: boolean): DateFound | undefined {
  let best: DateFound | undefined
  for (const rule of single) {
    const each = rule(words, today, isLed)
    if (each && each.length > (best?.length ?? 0)) best = each
  }
  return best
}

/** Words before a date that make it a range or introduce one. */
const before = new Set(['in', 'on', 'during', 'for', 'of', 'over', 'since', 'from', 'at', 'within', 'between'])

/** The date that begins with this word, with the words that belong to it. */
/** @param isCompared whether the question compares: `this week to last week` is not a range then */
export function dateAt(words: readonly Word[], today: Today, isCompared: boolean): DateFound | undefined {
  const texts = words.map(({ text }) => text)
  const [first = ''] = texts
  if (first === 'between' || first === 'from') {
    const range = rangeIn(texts.slice(1), today, first === 'between' ? ['and'] : ['to', 'until', 'till', 'through'])
    if (range) return { ...range, length: range.length + 1 }
    if (first === 'between') return undefined
  }
  if (first === 'since') {
    const from = one(texts.slice(1), today, true)
    if (!from) return undefined
    if ('message' in from) return { length: from.length + 1, message: from.message }
    const isWhole = from.days.period === 'all'
    return {
      length: from.length + 1,
      since: from.days,
      days: isWhole ? from.days : { from: from.days.from, to: today.today, ...startedBy(from.days, today) },
    }
  }
  const skip = before.has(first) ? 1 : 0
  const found = one(texts.slice(skip), today, skip === 1)
  if (!found) return undefined
  if (skip === 0 && !isCompared) {
    const range = rangeIn(texts, today, ['to', 'until', 'till', 'through'])
    if (range) return range
  }
  return { ...found, length: found.length + skip }
}

/** `since monday` is this week, where weeks begin so. */
function startedBy({ from }: Days, today: Today): Partial<Days> {
  for (const unit of ['week', 'month', 'quarter', 'year'] as const) {
    const now = unitAt({ unit, today, by: 0 })
    if (now.from === from) return { unit, ...(now.period && { period: now.period }) }
  }
  return {}
}

function rangeIn(texts: readonly string[], today: Today, joints: readonly string[]): DateFound | undefined {
  const from = one(texts, today, true) ?? bareDay(texts, today, joints)
  if (!from || !joints.includes(texts[from.length] ?? '')) return undefined
  const rest = texts.slice(from.length + 1)
  if (rest[0] === 'now') return 'message' in from ? from : { length: from.length + 2, days: { from: from.days.from, to: today.today } }
  const to = one(rest, today, true)
  if (!to) return undefined
  const length = from.length + 1 + to.length
  if ('message' in from) return { ...from, length }
  if ('message' in to) return { ...to, length }
  const begins = from.days.from > to.days.to && isOfYear(from.days) ? monthsBefore(from.days.from, 12) : from.days.from
  if (begins > to.days.to) return undefined
  return { length, days: { from: begins, to: to.days.to } }
}

/** Named by what comes every year: `december to february`. */
const isOfYear = ({ unit }: Days): boolean => unit === 'month' || unit === 'day'

/** The first date of `1 and 15 october`: it takes the month of the second date. */
function bareDay(texts: readonly string[], today: Today, joints: readonly string[]): DateFound | undefined {
  const day = dayNumber(texts[0] ?? '')
  if (day === undefined || !joints.includes(texts[1] ?? '')) return undefined
  const to = one(texts.slice(2), today, true)
  if (!to || 'message' in to || to.days.unit !== 'day') return undefined
  const month = calendar.startOf({ unit: 'month', day: to.days.from })
  return day >= 1 && month + day - 1 <= to.days.from ? found(1, { from: month + day - 1, to: month + day - 1, unit: 'day' }) : undefined
}
