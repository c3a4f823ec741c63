/** Statuses and times in the language and time zone of a page. */
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import { among } from '../../../runtime/table/schema.ts'
import type { StatusPageRow } from '../../../storage/tables/status-pages.ts'
import type { Status } from './timeline.ts'
import { m } from './messages.ts'
import { type Language, languages } from '../../../runtime/texts/reader.ts'
import { type Say, sayIn } from '../../../runtime/texts/say.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export const statusWords: Readonly<Record<Status, PlainMessage>> = {
  investigating: m.investigating,
  identified: m.identified,
  monitoring: m.monitoring,
  resolved: m.resolved,
  scheduled: m.planned,
  in_progress: m.in_progress,
  verifying: m.verifying,
  completed: m.completed,
}

export interface PageWords {
  readonly language: Language
  readonly say: Say
  /** `12 January 2030 at 22:00 UTC`. @param at epoch ms */
  time(at: number): string
  /** The calendar day in the zone of the page. @param at epoch ms */
  day(at: number): string
  /** A UTC day, as availability is counted. @param day since 1970-01-01 */
  utcDay(day: number): string
  /** `3 minutes`, `2 hours`: in one unit, at least a second, so that a short downtime is visible. */
  duration(ms: number): string
}

/** British English, because it writes the day first. */
const tagOf = (language: Language): string => (language === 'en' ? 'en-GB' : language)
const aDay = { day: 'numeric', month: 'long', year: 'numeric' } as const

/** Cached: creating a format takes a millisecond, and a page uses formats hundreds of times. */
const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(language: Language, timeZone: string, isTime: boolean): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${isTime}`
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(tagOf(language), {
    timeZone,
    ...aDay,
    ...(isTime && { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }),
  })
  if (formats.size >= 200) formats.clear()
  formats.set(key, format)
  return format
}

export async function wordsFor({ language: text, timezone }: Pick<StatusPageRow, 'language' | 'timezone'>): Promise<PageWords> {
  const language = among(languages, text)
  const say = await sayIn(language)
  return {
    language,
    say,
    time: at => formatOf(language, timezone, true).format(at),
    day: at => formatOf(language, timezone, false).format(at),
    utcDay: day => formatOf(language, 'UTC', false).format(day * DAY_MS),
    duration: ms => durationIn(say, ms),
  }
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const one = { second: m.n1_second, minute: m.n1_minute, hour: m.n1_hour, day: m.n1_day }
const many = { second: m.count_seconds, minute: m.count_minutes, hour: m.count_hours, day: m.count_days }
/** Units, each with the number of seconds up to which it is used. */
const units = [
  { until: 90, seconds: 1, name: 'second' },
  { until: 90 * MINUTE, seconds: MINUTE, name: 'minute' },
  { until: 36 * HOUR, seconds: HOUR, name: 'hour' },
  { until: Number.POSITIVE_INFINITY, seconds: 24 * HOUR, name: 'day' },
] as const

function durationIn(say: Say, ms: number): string {
  const all = Math.ceil(ms / 1000)
  const { seconds, name } = units.find(({ until }) => all < until) ?? units[3]
  const count = Math.round(all / seconds)
  return count === 1 ? say(one[name]) : say(many[name], { count })
}
