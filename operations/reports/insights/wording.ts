/** A change as a sentence. */
import { type MetricName, metrics } from '../../../storage/engine/vocabulary/metrics.ts'
import type { Kind } from './records.ts'

export interface Changed {
  readonly metric: MetricName
  readonly current: number
  readonly previous: number
  /** Percent; null if the value before was 0. */
  readonly change: number | null
}

const subjects: Readonly<Record<Kind, string>> = Object.freeze({
  page: 'Page',
  source: 'Source',
  country: 'Country',
  device: 'Device',
  utm_campaign: 'Campaign',
  event: 'Event',
  goal: 'Goal',
})
/** The name for the visitors of an event or goal. */
const visitorsOf: Readonly<Partial<Record<Kind, string>>> = Object.freeze({
  event: 'visitors who sent it',
  goal: 'visitors who completed it',
})
const names: Readonly<Partial<Record<MetricName, string>>> = Object.freeze({
  views_per_visit: 'pageviews per visit',
  bounce_rate: 'bounce rate',
  visit_duration: 'visit duration',
})

/** `Visitors rose by 25% to 1,250, from 1,000.` @param currency of the site, for revenue */
export function ofSite(changed: Changed, currency: string): string {
  const name = names[changed.metric] ?? changed.metric
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${moved(changed, currency)}.`
}

/** `Page /pricing: visitors fell by 40% to 60, from 100.` */
export function ofValue(kind: Kind, label: string, changed: Changed): string {
  return `${subjects[kind]} ${label}: ${visitorsOf[kind] ?? 'visitors'} ${moved(changed, '')}.`
}

function moved({ metric, current, previous, change }: Changed, currency: string): string {
  const say = (value: number) => said(metric, value, currency)
  if (previous === 0) return `rose to ${say(current)}, from none`
  if (current === 0) return `fell to none, from ${say(previous)}`
  const by = change === null || change === 0 ? 'a little' : `${number(Math.abs(change))}%`
  return `${current > previous ? 'rose' : 'fell'} by ${by} to ${say(current)}, from ${say(previous)}`
}

function said(metric: MetricName, value: number, currency: string): string {
  const { unit } = metrics[metric]
  if (unit === 'percent') return `${number(value)}%`
  if (unit === 'ms') return time(value)
  return unit === 'money' ? money(value, currency) : number(value)
}

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 })

/** `1 m 32 s` */
function time(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${number(ms / 1000)} s` : `${Math.floor(seconds / 60)} m ${seconds % 60} s`
}

/** From minor units. */
function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
