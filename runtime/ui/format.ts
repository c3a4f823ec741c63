/** Values as the viewer reads them: in their language, time zone and units. */
import { inUnits } from '../texts/units.ts'
import type { Unit } from '../table/schema.ts'
import { memoized } from '../values/memoize.ts'
import { DAY_MS, HOUR_MS } from '../../storage/values/durations.ts'

export interface Viewer {
  readonly locale: string
  /** Time zone of the account, else of the site, else UTC. */
  readonly timezone: string
  /** Currency of the site. */
  readonly currency: string
  /** Names of the records that conditions name by their ids. */
  readonly names?: ReadonlyMap<string, string> | undefined
}

/** Formatters are cached, because creating one takes longer than drawing a whole page. */
const dateFormats = new Map<string, Intl.DateTimeFormat>()
interface DateFormat {
  readonly locale: string
  /** Names the options. */
  readonly name: string
  readonly timeZone: string
  readonly options: () => Intl.DateTimeFormatOptions
}

function dateFormat({ locale, name, timeZone, options }: DateFormat): Intl.DateTimeFormat {
  const key = `${locale} ${name} ${timeZone}`
  const found = dateFormats.get(key)
  if (found) return found
  if (dateFormats.size > 500) dateFormats.clear()
  const formatter = new Intl.DateTimeFormat(locale, { ...options(), timeZone })
  dateFormats.set(key, formatter)
  return formatter
}
/** Their results are cached, too: most figures of a page are small, and often the same. */
const numberFormats = new Map<string, Pick<Intl.NumberFormat, 'format' | 'formatToParts'>>()
/** @param name names the options */
function numberFormat(locale: string, name: string, options: () => Intl.NumberFormatOptions) {
  const key = `${locale} ${name}`
  const found = numberFormats.get(key)
  if (found) return found
  if (numberFormats.size > 500) numberFormats.clear()
  const formatter = new Intl.NumberFormat(locale, options())
  const kept = {
    format: memoized((value: number) => formatter.format(value + 0)), // -0 is 0
    formatToParts: (value: number) => formatter.formatToParts(value),
  }
  numberFormats.set(key, kept)
  return kept
}

export const plainNumber = (value: number, { locale }: Pick<Viewer, 'locale'>): string =>
  numberFormat(locale, 'plain', () => ({ maximumFractionDigits: 2 })).format(value)

/** Uses few characters: `12.3K`. Small numbers keep their hundredths, because a mean of 1.95 is not 2. */
export const shortNumber = (value: number, viewer: Viewer): string =>
  Math.abs(value) < 10 ? plainNumber(value, viewer) : shortened(value, viewer)

const shortened = (value: number, { locale }: Viewer): string =>
  Math.abs(value) < 10_000
    ? numberFormat(locale, 'tenths', () => ({ maximumFractionDigits: 1 })).format(value)
    : numberFormat(locale, 'compact', () => ({
        notation: 'compact',
        ...(isByMyriads(locale) ? exactMyriads : { maximumFractionDigits: 1 }),
      })).format(value)

/** Languages that count by ten thousands: with one digit, 10,063 would be 1万, which hides the rest. */
const isByMyriads = (locale: string): boolean => /^(ja|ko|zh)\b/.test(locale)
const exactMyriads = { maximumFractionDigits: 1, maximumSignificantDigits: 3, roundingPriority: 'morePrecision' } as const

/** The smallest share that one decimal place shows. */
const LEAST_PERCENT = 0.1

/** `3.1%`. A share that is too small for one decimal place is `<0.1%`, because 0% would mean none. */
export function percent(value: number, { locale }: Viewer): string {
  const digits = Math.abs(value) >= 100 ? 0 : 1
  const { format } = numberFormat(locale, `percent ${digits}`, () => ({ style: 'percent', maximumFractionDigits: digits }))
  return value !== 0 && Math.abs(value) < LEAST_PERCENT / 2 ? `<${format(LEAST_PERCENT / 100)}` : format(value / 100)
}

/** `1m 6s`, or `1 min 6 s` in languages that write it so. Less than a second is in milliseconds; 0 is `0s`, as most durations are longer. */
export function duration(ms: number, viewer: Viewer): string {
  if (Math.round(ms) === 0) return inUnits(0, 'second', viewer.locale)
  if (Math.abs(ms) < 1_000) return `${plainNumber(Math.round(ms), viewer)} ms`
  const seconds = Math.round(ms / 1_000)
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60]
  const parts = [
    [days, 'day'],
    [hours, 'hour'],
    [minutes, 'minute'],
    [seconds % 60, 'second'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0)
  return shown.map(([count, unit]) => inUnits(count, unit, viewer.locale)).join(' ')
}

/** `1 hour`, `30 days`: a length of time in a sentence. */
export function timeSpan(minutes: number, { locale }: Viewer): string {
  const [length, unit] =
    (
      [
        [1_440, 'day'],
        [60, 'hour'],
      ] as const
    ).find(([each]) => minutes % each === 0) ?? ([1, 'minute'] as const)
  return numberFormat(locale, `long ${unit}`, () => ({ style: 'unit', unit, unitDisplay: 'long' })).format(minutes / length)
}

export function money(minor: number, { locale, currency }: Viewer, short = false): string {
  const amount = minor / 10 ** minorDigits(currency)
  if (!short || Math.abs(amount) < 1_000) return numberFormat(locale, currency, () => ({ style: 'currency', currency })).format(amount)
  const compact = numberFormat(locale, `short ${currency}`, () => ({
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  }))
  // Some languages have no short word for thousands: German has one from millions on.
  if (compact.formatToParts(amount).some(({ type }) => type === 'compact')) return compact.format(amount)
  return numberFormat(locale, `whole ${currency}`, () => ({ style: 'currency', currency, maximumFractionDigits: 0 })).format(amount)
}

/** Digits of the minor unit of a currency: 2 for the euro, none for the yen. */
export const minorDigits = memoized(
  (currency: string): number => new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2,
)

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
/** `4.2 MB`. The compact notation has no such short form in every language. */
function bytes(value: number, { locale }: Viewer): string {
  const power = Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(value) || 1) / 3)))
  const unit = byteUnits[power] ?? 'byte'
  const options = () => ({ style: 'unit', unit, unitDisplay: power === 0 ? 'narrow' : 'short', maximumFractionDigits: 1 }) as const
  return numberFormat(locale, unit, options).format(value / 1_000 ** power)
}

const perUnit: Readonly<Record<string, (value: number, viewer: Viewer, short: boolean) => string>> = {
  percent,
  percentage_points: (value, viewer) => `${plainNumber(value, viewer)} pp`,
  ms: duration,
  seconds: (value, viewer) => duration(value * 1_000, viewer),
  minutes: (value, viewer) => duration(value * 60_000, viewer),
  hours: (value, viewer) => duration(value * HOUR_MS, viewer),
  days: (value, { locale }) => numberFormat(locale, 'days', () => ({ style: 'unit', unit: 'day', unitDisplay: 'long' })).format(value),
  bytes,
  pixels: (value, viewer) => `${plainNumber(value, viewer)} px`,
  minor_units: money,
  weekday: (value, { locale }) => weekday(value, locale),
}
/** Shown for an unknown figure. */
export const UNKNOWN = '–'
/** @param value null is unknown */
export const inUnit = (value: number | null, unit: Unit | undefined, viewer: Viewer): string =>
  value === null ? UNKNOWN : (perUnit[unit ?? ''] ?? plainNumber)(value, viewer, false)
/** For figures and axes, where space is scarce: `12.3K`. */
export const shortInUnit = (value: number | null, unit: Unit | undefined, viewer: Viewer): string =>
  value === null ? UNKNOWN : (perUnit[unit ?? ''] ?? shortNumber)(value, viewer, true)

/** @param day 1 is Monday, 7 is Sunday; 5 January 1970 was a Monday */
export const weekday = (day: number, locale: string): string =>
  dateFormat({ locale, name: 'weekday', timeZone: 'UTC', options: () => ({ weekday: 'long' }) }).format((day + 3) * DAY_MS)

/** `Mon`. @param day 1 is Monday */
export const shortWeekday = (day: number, locale: string): string =>
  dateFormat({ locale, name: 'short weekday', timeZone: 'UTC', options: () => ({ weekday: 'short' }) }).format((day + 3) * DAY_MS)

/** `6 PM`. @param hour of the day, 0 to 23 */
export const hourOfDay = (hour: number, locale: string): string =>
  dateFormat({ locale, name: 'hour of day', timeZone: 'UTC', options: () => ({ hour: 'numeric' }) }).format(hour * HOUR_MS)

export function instant(iso: string, viewer: Viewer): string {
  readersOfTimes.add(viewer)
  return instantBy(`${viewer.locale} ${viewer.timezone} ${iso}`)
}
/** Viewers of pages with times: only such pages name their time zone. */
const readersOfTimes = new WeakSet<Viewer>()
export const hasSeenTimes = (viewer: Viewer): boolean => readersOfTimes.has(viewer)

/** Cached, because the same lists are shown again and again. @param key locale, time zone and instant */
const instantBy = memoized((key: string): string => {
  const [locale = '', timezone = '', iso = ''] = key.split(' ')
  return dateFormat({ locale, name: 'instant', timeZone: timezone, options: () => ({ dateStyle: 'medium', timeStyle: 'short' }) }).format(
    Date.parse(iso),
  )
})

/** `14:05:09`, for events of the last minutes. */
export function timeOfDay(iso: string, viewer: Viewer): string {
  const { locale, timezone } = viewer
  readersOfTimes.add(viewer)
  return dateFormat({ locale, name: 'time', timeZone: timezone, options: () => ({ timeStyle: 'medium' }) }).format(Date.parse(iso))
}

/** Omits the year, for an axis. */
export const shortInstant = (iso: string, { locale, timezone }: Viewer): string =>
  dateFormat({
    locale,
    name: 'short',
    timeZone: timezone,
    options: () => ({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }),
  }).format(Date.parse(iso))

/** A calendar day, in no zone. */
export const day = (date: string, { locale }: Viewer): string =>
  dateFormat({ locale, name: 'day', timeZone: 'UTC', options: () => ({ dateStyle: 'medium' }) }).format(
    Date.parse(`${date.slice(0, 10)}T00:00:00Z`),
  )

/** The label of a point of a series. @param at ISO 8601 with the offset of the site */
export function pointLabel(at: string, interval: PointInterval, { locale }: Viewer): string {
  const time = Date.parse(`${at.slice(0, 19)}Z`)
  if (interval === 'quarter') return quarterLabel(new Date(time), locale)
  return dateFormat({ locale, name: `point ${interval}`, timeZone: 'UTC', options: () => pointParts[interval] }).format(time)
}
/** The length of a point of a series. */
export type PointInterval = keyof typeof pointParts | 'quarter'

/** `Q1 2026`: `Intl` formats no quarters. */
const quarterLabel = (date: Date, locale: string): string =>
  `${quarterLetters[locale] ?? 'Q'}${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`
const quarterLetters: Readonly<Record<string, string>> = { es: 'T', fr: 'T', it: 'T', pt: 'T', nl: 'K' }

const pointParts = {
  minute: { hour: 'numeric', minute: '2-digit' },
  hour: { hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

const clockParts: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
}
/** An instant as a clock in the zone shows it: `2026-03-10T12:00`. */
export function wallClock(at: number, timezone: string): string {
  const parts = dateFormat({ locale: 'en-CA', name: 'parts', timeZone: timezone, options: () => clockParts }).formatToParts(at)
  const of = (type: string) => parts.find(part => part.type === type)?.value ?? '00'
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`
}
/** The instant at which a clock in the zone shows this time. A time in the hour that spring skips is an hour later. */
export function fromWallClock(text: string, timezone: string): string {
  const asUtc = Date.parse(`${text.slice(0, 16)}:00Z`)
  if (Number.isNaN(asUtc)) return text
  const offset = (at: number) => Date.parse(`${wallClock(at, timezone)}:00Z`) - Math.floor(at / 60_000) * 60_000
  return new Date(asUtc - offset(asUtc - offset(asUtc))).toISOString()
}
