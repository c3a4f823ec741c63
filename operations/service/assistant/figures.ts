/** Figures in words, and what they are called. */
import { withoutHidden } from '../../../runtime/values/hidden-characters.ts'
import { phrases, type Say } from '../../../runtime/texts/index.ts'
import { isSaidAsOne } from '../../../runtime/texts/plural.ts'
import type { Metric } from './planner/lexicon.ts'

export type Format = 'count' | 'percent' | 'ratio' | 'ms' | 'minor_units'
export type Shown = Metric | 'events'

interface Worded {
  readonly format: Format
  readonly name: string
  readonly by: string
  /** With the figure, where it is 1 and otherwise. */
  readonly one: string
  readonly many: string
}
export const worded: Readonly<Record<Shown, Worded>> = {
  visitors: { format: 'count', ...phrases({ name: 'visitors', by: 'by visitors', one: '{count} visitor', many: '{count} visitors' }) },
  visits: { format: 'count', ...phrases({ name: 'visits', by: 'by visits', one: '{count} visit', many: '{count} visits' }) },
  pageviews: { format: 'count', ...phrases({ name: 'pageviews', by: 'by pageviews', one: '{count} pageview', many: '{count} pageviews' }) },
  purchases: { format: 'count', ...phrases({ name: 'purchases', by: 'by purchases', one: '{count} purchase', many: '{count} purchases' }) },
  conversions: {
    format: 'count',
    ...phrases({ name: 'conversions', by: 'by conversions', one: '{count} conversion', many: '{count} conversions' }),
  },
  events: { format: 'count', ...phrases({ name: 'events', by: 'by events', one: '{count} event', many: '{count} events' }) },
  views_per_visit: {
    format: 'ratio',
    ...phrases({
      name: 'pageviews a visit',
      by: 'by pageviews a visit',
      one: '{count} pageviews a visit',
      many: '{count} pageviews a visit',
    }),
  },
  bounce_rate: rate('percent', phrases({ name: 'bounce rate', by: 'by bounce rate', many: 'bounce rate {count}' })),
  conversion_rate: rate('percent', phrases({ name: 'conversion rate', by: 'by conversion rate', many: 'conversion rate {count}' })),
  visit_duration: rate('ms', phrases({ name: 'visit duration', by: 'by visit duration', many: 'visit duration {count}' })),
  revenue: rate('minor_units', phrases({ name: 'revenue', by: 'by revenue', many: 'revenue {count}' })),
  average_order: rate('minor_units', phrases({ name: 'average order', by: 'by average order', many: 'average order {count}' })),
}
function rate(format: Format, words: Pick<Worded, 'name' | 'by' | 'many'>): Worded {
  return { format, ...words, one: words.many }
}

const number = (value: number, locale: string, digits: number): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)
export const percent = (value: number, locale: string, digits = 1): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: digits }).format(value / 100)

export function shownAs({ locale }: Say, metric: Shown, value: number, currency: string): string {
  const { format } = worded[metric]
  if (format === 'count') return number(value, locale, 1)
  if (format === 'percent') return percent(value, locale)
  if (format === 'ratio') return number(value, locale, 2)
  return format === 'ms' ? duration(value) : money(value, currency, locale)
}

/** `1,234 visitors`, `bounce rate 43.2%` */
export function figure(say: Say, metric: Shown, value: number, currency: string): string {
  const { one, many } = worded[metric]
  return say(isSaidAsOne(value, say.locale) ? one : many, { count: shownAs(say, metric, value, currency) })
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  if (hours > 0) return `${hours}h ${minutes}m`
  return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`
}

function money(minor: number, currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** `12.3% more than in 2–8 November 2026 (1,100)`. @param when the time before: `in 2–8 November 2026` */
export function changeWords(say: Say, metric: Shown, now: number, before: number, when: string, currency: string): string {
  const { locale } = say
  const values = { when, before: shownAs(say, metric, before, currency) }
  if (now === before) return say('the same as {when} ({before})', values)
  if (worded[metric].format === 'percent') {
    const change = number(Math.abs(now - before), locale, 1)
    return now > before
      ? say('{change} points higher than {when} ({before})', { ...values, change })
      : say('{change} points lower than {when} ({before})', { ...values, change })
  }
  if (before === 0) return `${figure(say, metric, 0, currency)} ${when}`
  const change = percent(Math.abs((100 * (now - before)) / before), locale)
  return now > before
    ? say('{change} more than {when} ({before})', { ...values, change })
    : say('{change} less than {when} ({before})', { ...values, change })
}

/** Escapes a visitor's text for Markdown. */
export const plain = (text: string): string => withoutHidden(text).replace(/[\\`*_[\]<>~|#&!]/g, '\\$&')
