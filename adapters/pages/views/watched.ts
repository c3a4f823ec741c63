/** The value that an alert watches, as a series: by the hour where it looks at an hour, else by the day. Not every kind has one. */
import type { Unit } from '../../../runtime/table/schema.ts'
import type { ChartPoint } from '../../../runtime/ui/charts/line.tsx'
import { day as dayOf, instant, pointLabel } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { list, number, record, type Row, text } from './read.ts'
import { responseTimes } from './uptime-check.tsx'
import type { Seen } from './view.ts'

export interface WatchedSeries {
  readonly title: string
  /** `30 days` */
  readonly span: string
  readonly points: readonly (ChartPoint & { readonly at: string })[]
  readonly unit: Unit | undefined
  /** The threshold, where a point counts what the alert compares with it. */
  readonly limit: number | undefined
}

type Asked = Pick<Seen, 'ask' | 'viewer' | 'now'>

/** Unit of the threshold. */
export function thresholdUnit({ kind, metric }: Row): Unit | undefined {
  if (kind === 'no_data') return 'hours'
  if (kind === 'usage') return 'percent'
  if (kind === 'ssl') return 'days'
  if (kind === 'vitals') return metric === 'cls' ? undefined : 'ms'
  return ratios.has(text(metric)) ? 'percent' : undefined
}

const ratios: ReadonlySet<string> = new Set(['bounce_rate', 'conversion'])
const traffic: ReadonlySet<string> = new Set(['visitors', 'visits', 'pageviews', 'bounce_rate'])

export function watchedBy(alert: Row, seen: Asked): Promise<WatchedSeries | undefined> | undefined {
  if (alert.kind === 'usage') return useOf(alert, seen)
  if (typeof alert.site_id !== 'string') return undefined
  if (alert.kind === 'vitals') return vitalsOf(alert, seen)
  if (alert.kind === 'uptime') return responseTimesOf(alert, seen)
  if (alert.kind === 'ssl') return certificatesOf(alert, seen)
  return trafficOf(alert, seen)
}

/** Counts of the window of an alert are compared with its threshold: only points of the same length may be. */
function lengthOf({ window_minutes, metric, threshold }: Row) {
  const window = number(window_minutes)
  const isHourly = window > 0 && window <= 60
  const fits = ratios.has(text(metric)) || window === (isHourly ? 60 : 1_440)
  return {
    period: isHourly ? '7d' : '30d',
    interval: isHourly ? 'hour' : 'day',
    limit: fits && typeof threshold === 'number' ? threshold : undefined,
  } as const
}

async function trafficOf(alert: Row, { ask, viewer }: Asked): Promise<WatchedSeries | undefined> {
  const { site_id, kind, goal_id, metric: watched } = alert
  const isRate = watched === 'conversion'
  const ofGoal = typeof goal_id === 'string' ? { filters: [['goal', 'is', goal_id]] } : {}
  const metric = kind === 'no_data' ? 'pageviews' : typeof goal_id === 'string' ? 'visitors' : text(watched)
  if (!traffic.has(metric)) return undefined
  const { period, interval, limit } = lengthOf(alert)
  const read = (filters: Readonly<Record<string, unknown>>) =>
    ask('Timeseries', { period, interval, metrics: [metric], ...filters }, { site_id: text(site_id) })
  const [data, all] = await Promise.all([read(ofGoal), isRate ? read({}) : undefined])
  if (!data) return undefined
  const whole = list(all?.series)
  return {
    title: isRate ? fieldWords('conversion_rate', viewer) : goal_id ? say(viewer, 'reached_goal') : fieldWords(metric, viewer),
    span: say(viewer, `period_${period}`),
    unit: ratios.has(text(watched)) ? 'percent' : 'count',
    limit: kind === 'threshold' || kind === 'goal' ? limit : undefined,
    points: list(data.series).map((point, i) => ({
      ...labelled(text(point.at), interval, viewer),
      value: isRate ? shareOf(number(point[metric]), number(whole[i]?.[metric])) : number(point[metric]),
      isPartial: point.partial === true,
    })),
  }
}

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole)

const labelled = (at: string, interval: 'hour' | 'day', viewer: Seen['viewer']) => {
  const day = pointLabel(at, 'day', viewer)
  return interval === 'hour' ? { at, label: `${day}, ${pointLabel(at, 'hour', viewer)}`, axis: day } : { at, label: day }
}

async function vitalsOf({ site_id, metric, threshold }: Row, { ask, viewer }: Asked): Promise<WatchedSeries | undefined> {
  const data = await ask('Performance', { period: '30d' }, { site_id: text(site_id) })
  const vital = list(data?.vitals).find(each => each.metric === metric)
  if (!vital) return undefined
  return {
    title: text(vital.label),
    span: say(viewer, 'period_30d'),
    unit: vital.unit === 'ms' ? 'ms' : undefined,
    limit: typeof threshold === 'number' ? threshold : undefined,
    points: list(vital.series).map(point => ({
      ...labelled(text(point.at), 'day', viewer),
      value: typeof point.value === 'number' ? point.value : null,
      isPartial: point.partial === true,
    })),
  }
}

/** How fast the site answered its first check: the mean of all locations, with gaps where it did not. */
async function responseTimesOf({ site_id }: Row, { ask, viewer }: Asked): Promise<WatchedSeries | undefined> {
  const checks = await ask('[CheckAvailability]', { per_page: 1 }, { site_id: text(site_id) })
  const id = text(list(checks?.rows)[0]?.id)
  const detail = id === '' ? undefined : await ask('UptimeCheckDetail', { range: '30d' }, { id })
  if (!detail) return undefined
  const { points } = responseTimes(detail)
  if (points.length === 0) return undefined
  return {
    title: say(viewer, 'response_times'),
    span: say(viewer, 'period_30d'),
    unit: 'ms',
    limit: undefined,
    points: points.map(({ at, value }) => {
      const iso = new Date(at).toISOString()
      return { at: iso, label: instant(iso, viewer), axis: dayOf(iso, viewer), value }
    }),
  }
}

/** Percent of the limit that the month has used up to each of its days; undefined for a plan without a limit. */
async function useOf({ threshold }: Row, { ask, viewer, now }: Asked): Promise<WatchedSeries | undefined> {
  const plan = await ask('WorkspacePlan', {})
  const most = record(plan?.limits).hits_month
  const days = list(plan?.hits_by_day)
  if (typeof most !== 'number' || most === 0 || days.length === 0) return undefined
  let used = 0
  const today = new Date(now).toISOString().slice(0, 10)
  return {
    title: say(viewer, 'limit_used'),
    span: say(viewer, 'period_mtd'),
    unit: 'percent',
    limit: typeof threshold === 'number' ? threshold : undefined,
    points: days.map(({ date, hits }) => {
      used += number(hits)
      return { ...labelled(`${text(date)}T00:00:00Z`, 'day', viewer), value: (100 * used) / most, isPartial: date === today }
    }),
  }
}

const DAY = 86_400_000
/** How far certificates are drawn ahead. */
const mostDaysAhead = 90

/** Days that are left of the certificate that ends first, from today on, as long as none is renewed: what was is known of none. */
async function certificatesOf({ site_id, threshold }: Row, { ask, viewer, now }: Asked): Promise<WatchedSeries | undefined> {
  const checks = await ask('[CheckAvailability]', { per_page: 100 }, { site_id: text(site_id) })
  const ends = list(checks?.rows).flatMap(({ ssl_expires_at }) => (typeof ssl_expires_at === 'string' ? [Date.parse(ssl_expires_at)] : []))
  if (ends.length === 0) return undefined
  const left = (Math.min(...ends) - now) / DAY
  const ahead = Math.min(mostDaysAhead, Math.max(1, Math.ceil(left)))
  return {
    title: say(viewer, 'certificate_left'),
    span: say(viewer, 'unless_renewed'),
    unit: 'days',
    limit: typeof threshold === 'number' ? threshold : undefined,
    points: Array.from({ length: ahead + 1 }, (_, day) => ({
      ...labelled(new Date(now + day * DAY).toISOString(), 'day', viewer),
      value: Math.max(0, Math.round((left - day) * 10) / 10),
      isPartial: day > 0,
    })),
  }
}
