/** Figures in words, and what they are called. */
import { withoutHidden } from '../../../runtime/values/hidden-characters.ts'
import type { Message, PlainMessage } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'
import type { Metric } from './planner/lexicon.ts'
import type { Say } from '../../../runtime/texts/say.ts'

export type Format = 'count' | 'percent' | 'ratio' | 'ms' | 'minor_units'
export type Shown = Metric | 'events'

interface Worded {
  readonly format: Format
  readonly name: PlainMessage
  readonly by: PlainMessage
  /** With the figure. @param shown the figure in its format */
  with(value: number, shown: string): Message
}
export const worded: Readonly<Record<Shown, Worded>> = {
  visitors: { format: 'count', name: m.visitors, by: m.by_visitors, with: count => m.visitors_counted({ count }) },
  visits: { format: 'count', name: m.visits, by: m.by_visits, with: count => m.visits_counted({ count }) },
  pageviews: { format: 'count', name: m.pageviews, by: m.by_pageviews, with: count => m.pageviews_counted({ count }) },
  purchases: { format: 'count', name: m.purchases, by: m.by_purchases, with: count => m.purchases_counted({ count }) },
  conversions: { format: 'count', name: m.conversions, by: m.by_conversions, with: count => m.conversions_counted({ count }) },
  events: { format: 'count', name: m.events, by: m.by_events, with: count => m.events_counted({ count }) },
  views_per_visit: {
    format: 'ratio',
    name: m.views_per_visit,
    by: m.by_views_per_visit,
    with: (_, shown) => m.views_per_visit_of({ shown }),
  },
  bounce_rate: { format: 'percent', name: m.bounce_rate, by: m.by_bounce_rate, with: (_, shown) => m.bounce_rate_of({ shown }) },
  conversion_rate: {
    format: 'percent',
    name: m.conversion_rate,
    by: m.by_conversion_rate,
    with: (_, shown) => m.conversion_rate_of({ shown }),
  },
  visit_duration: { format: 'ms', name: m.visit_duration, by: m.by_visit_duration, with: (_, shown) => m.visit_duration_of({ shown }) },
  revenue: { format: 'minor_units', name: m.revenue, by: m.by_revenue, with: (_, shown) => m.revenue_of({ shown }) },
  average_order: {
    format: 'minor_units',
    name: m.average_order,
    by: m.by_average_order,
    with: (_, shown) => m.average_order_of({ shown }),
  },
}

const number = (value: number, locale: string, digits: number): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)
export const percent = (value: number, locale: string, digits = 1): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: digits }).format(value / 100)

export function shownAs({ locale }: Say, { metric, value, currency }: { metric: Shown; value: number; currency: string }): string {
  const { format } = worded[metric]
  if (format === 'count') return number(value, locale, 1)
  if (format === 'percent') return percent(value, locale)
  if (format === 'ratio') return number(value, locale, 2)
  return format === 'ms' ? duration(value) : money(value, currency, locale)
}

/** `1,234 visitors`, `bounce rate 43.2%` */
export function figure(say: Say, { metric, value, currency }: { metric: Shown; value: number; currency: string }): string {
  return say(worded[metric].with(Math.round(value * 10) / 10, shownAs(say, { metric, value, currency })))
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

interface ChangeWords {
  readonly metric: Shown
  readonly now: number
  readonly before: number
  readonly when: string
  readonly currency: string
}

/** `12.3% more than in 2–8 November 2026 (1,100)`. @param when the time before: `in 2–8 November 2026` */
export function changeWords(say: Say, { metric, now, before, when, currency }: ChangeWords): string {
  const { locale } = say
  const values = { when, before: shownAs(say, { metric, value: before, currency }) }
  if (now === before) return say(m.same_as, values)
  if (worded[metric].format === 'percent') {
    const change = number(Math.abs(now - before), locale, 1)
    return now > before ? say(m.points_higher, { ...values, change }) : say(m.points_lower, { ...values, change })
  }
  if (before === 0) return `${figure(say, { metric, value: 0, currency })} ${when}`
  const change = percent(Math.abs((100 * (now - before)) / before), locale)
  return now > before ? say(m.more_than, { ...values, change }) : say(m.less_than, { ...values, change })
}

/** Escapes a visitor's text for Markdown. */
export const plain = (text: string): string => withoutHidden(text).replace(/[\\`*_[\]<>~|#&!]/g, '\\$&')
