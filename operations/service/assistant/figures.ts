/** Figures in words, and what they are called. */
import { withoutHidden } from '../../../runtime/hidden-characters.ts'
import type { Metric } from './planner/lexicon.ts'

export type Format = 'count' | 'percent' | 'ratio' | 'ms' | 'minor_units'
export type Shown = Metric | 'events'

interface Worded {
  readonly format: Format
  readonly one: string
  readonly many: string
}
export const worded: Readonly<Record<Shown, Worded>> = {
  visitors: { format: 'count', one: 'visitor', many: 'visitors' },
  visits: { format: 'count', one: 'visit', many: 'visits' },
  pageviews: { format: 'count', one: 'pageview', many: 'pageviews' },
  purchases: { format: 'count', one: 'purchase', many: 'purchases' },
  conversions: { format: 'count', one: 'conversion', many: 'conversions' },
  events: { format: 'count', one: 'event', many: 'events' },
  views_per_visit: { format: 'ratio', one: 'pageviews a visit', many: 'pageviews a visit' },
  bounce_rate: { format: 'percent', one: 'bounce rate', many: 'bounce rate' },
  conversion_rate: { format: 'percent', one: 'conversion rate', many: 'conversion rate' },
  visit_duration: { format: 'ms', one: 'visit duration', many: 'visit duration' },
  revenue: { format: 'minor_units', one: 'revenue', many: 'revenue' },
  average_order: { format: 'minor_units', one: 'average order', many: 'average order' },
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

export function formatted(value: number, format: Format, currency: string): string {
  if (format === 'count') return (Number.isInteger(value) ? whole : tenths).format(value)
  if (format === 'percent') return `${tenths.format(value)}%`
  if (format === 'ratio') return decimals.format(value)
  return format === 'ms' ? duration(value) : money(value, currency)
}

export const shownAs = (metric: Shown, value: number, currency: string): string => formatted(value, worded[metric].format, currency)

/** `1,234 visitors`, `bounce rate 43.2%` */
export function figure(metric: Shown, value: number, currency: string): string {
  const { format, one, many } = worded[metric]
  const text = formatted(value, format, currency)
  return format === 'count' || format === 'ratio' ? `${text} ${value === 1 ? one : many}` : `${many} ${text}`
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  if (hours > 0) return `${hours}h ${minutes}m`
  return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`
}

function money(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** `12.3% more than`, `1.2 points lower than`; undefined where nothing was before. */
export function changeWords(metric: Shown, now: number, before: number): string | undefined {
  const { format } = worded[metric]
  if (now === before) return 'the same as'
  if (format === 'percent') return `${tenths.format(Math.abs(now - before))} points ${now > before ? 'higher than' : 'lower than'}`
  if (before === 0) return undefined
  return `${tenths.format(Math.abs((100 * (now - before)) / before))}% ${now > before ? 'more than' : 'less than'}`
}

/** Escapes a visitor's text for Markdown. */
export const plain = (text: string): string => withoutHidden(text).replace(/[\\`*_[\]<>~|#&!]/g, '\\$&')
