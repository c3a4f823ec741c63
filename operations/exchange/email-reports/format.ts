/** Figures and dates in the locale of a mail. */
import { inUnits } from '../../../runtime/texts/units.ts'
import type { Period } from './schedule.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export const count = (value: number, locale: string): string => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(value)

export const percent = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: Math.abs(value) >= 100 ? 0 : 1 }).format(value / 100)

/** With its sign: +12 %. */
export const change = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: Math.abs(value) >= 10 ? 0 : 1,
    signDisplay: 'exceptZero',
  }).format(value / 100)

/** The change of a rate, in percentage points: +1.5 pp. */
export const points = (value: number, locale: string): string =>
  `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(value)} pp`

/** @param minor in the minor unit of the currency: cents */
export function money(minor: number, currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** `1m 06s`, or `1 min 06 s` in locales that write it so. */
export function duration(ms: number, locale: string): string {
  const seconds = Math.round(ms / 1_000)
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  if (minutes === 0) return inUnits(rest, 'second', locale)
  return `${inUnits(minutes, 'minute', locale)} ${inUnits(String(rest).padStart(2, '0'), 'second', locale)}`
}

const dateIn = (locale: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })

/** `Monday, November 16, 2026`, `Nov 16 – 22, 2026`, `November 2026`. */
export function dates({ from, to }: Period, isMonth: boolean, locale: string): string {
  const [first, last] = [new Date(from * DAY_MS), new Date(to * DAY_MS)]
  if (isMonth) return dateIn(locale, { month: 'long', year: 'numeric' }).format(first)
  if (from === to) return dateIn(locale, { dateStyle: 'full' }).format(first)
  return dateIn(locale, { dateStyle: 'medium' }).formatRange(first, last)
}

/** The label of a point of a series. @param at local time, ISO 8601, with its offset */
export function pointLabel(at: string, isHour: boolean, locale: string): string {
  const options: Intl.DateTimeFormatOptions = isHour
    ? { hour: 'numeric', minute: '2-digit' }
    : { weekday: 'short', day: 'numeric', month: 'short' }
  return dateIn(locale, options).format(new Date(`${at.slice(0, 19)}Z`))
}
