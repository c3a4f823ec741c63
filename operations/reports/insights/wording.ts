/** Formulates a change as a sentence. */
import type { Message } from '../../../runtime/texts/message.ts'
import { type MetricName, metrics } from '../../../storage/engine/vocabulary/metrics.ts'
import { m } from './messages.ts'
import type { Kind, METRICS } from './records.ts'

export interface Changed {
  readonly metric: (typeof METRICS)[number]
  readonly current: number
  readonly previous: number
  /** In percent, null if the value before was 0; of a rate in percentage points. */
  readonly change: number | null
}

const subjects: Readonly<Record<Kind, (params: { label: string }) => Message>> = Object.freeze({
  page: m.visitors_of_page,
  source: m.visitors_of_source,
  country: m.visitors_of_country,
  device: m.visitors_of_device,
  utm_campaign: m.visitors_of_campaign,
  event: m.visitors_of_event,
  goal: m.visitors_of_goal,
})

/** For example `Visitors rose by 25% to 1,250, from 1,000.` @param currency of the site, for revenue */
export const ofSite = (changed: Changed, currency: string): Message => moved(m[changed.metric](), changed, currency)

/** For example `Page /pricing: visitors fell by 40% to 60, from 100.` */
export const ofValue = (kind: Kind, label: string, changed: Changed): Message => moved(subjects[kind]({ label }), changed, '')

function moved(what: Message, { metric, current, previous, change }: Changed, currency: string): Message {
  const words = { current: valueWords(metric, current, currency), previous: valueWords(metric, previous, currency) }
  if (previous === 0) return m.rose_from_none({ what, current: words.current })
  if (current === 0) return m.fell_to_none({ what, previous: words.previous })
  const by = change === null || change === 0 ? m.a_little() : changeWords(metric, rounded(Math.abs(change)))
  return current > previous ? m.rose({ what, by, ...words }) : m.fell({ what, by, ...words })
}

const changeWords = (metric: MetricName, by: number): Message =>
  metrics[metric].unit === 'percent' ? m.points({ points: by }) : m.percent({ percent: by })

function valueWords(metric: MetricName, value: number, currency: string): Message | string {
  const { unit } = metrics[metric]
  if (unit === 'percent') return m.percent({ percent: rounded(value) })
  if (unit === 'ms') return time(value)
  return unit === 'money' ? money(value, currency) : m.number({ number: rounded(value) })
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/** For example `1 m 32 s`. */
function time(ms: number): Message {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? m.seconds({ seconds: rounded(ms / 1000) }) : m.minutes({ minutes: Math.floor(seconds / 60), seconds: seconds % 60 })
}

/** Formats an amount in minor units. */
function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
