/** The value that an alert watches, as a series: by the hour for a window of an hour, otherwise by the day. Some kinds of alerts have no series. */
import type { Static, Unit } from '../../../runtime/table/schema.ts'
import type { ChartPoint } from '../../../runtime/ui/charts/line.tsx'
import { day as dayOf, instant, pointLabel, type Viewer } from '../../../runtime/ui/format.ts'
import { listOf } from '../../../runtime/ui/view.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { WorkspacePlan } from '../../people/plans/records.ts'
import { CheckAvailability } from '../../reports/availability/records.ts'
import { Performance } from '../../reports/performance/records.ts'
import { Timeseries } from '../../reports/stats/records.ts'
import { meanResponseTimes } from '../uptime/index.ts'
import { UptimeCheckDetail } from '../uptime/records.ts'
import type { Kind } from './condition.ts'
import type { Alert } from './records.ts'
import { isRatio } from './threshold-unit.ts'
import { m } from './messages.ts'
import { periodMessages, ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export interface WatchedSeries {
  readonly title: string
  /** `30 days` */
  readonly span: string
  readonly points: readonly (ChartPoint & { readonly at: string })[]
  readonly unit: Unit | undefined
  /** The threshold, if a point counts what the alert compares with it. */
  readonly limit: number | undefined
}

type Watched = Static<typeof Alert>
type Asked = Pick<ViewedPage, 'ask' | 'viewer' | 'now'>
type Read = (alert: Watched, page: Asked) => Promise<WatchedSeries | undefined>

const reads: Readonly<Record<Kind, Read>> = {
  threshold: trafficSeries,
  anomaly: trafficSeries,
  goal: trafficSeries,
  no_data: trafficSeries,
  vitals: vitalSeries,
  uptime: responseTimeSeries,
  ssl: certificateSeries,
  usage: usageSeries,
}

export async function watchedSeries(alert: Watched, page: Asked): Promise<WatchedSeries | undefined> {
  return alert.site_id === null && alert.kind !== 'usage' ? undefined : reads[alert.kind](alert, page)
}

/** The threshold applies to the window of the alert, so it is drawn only through points of the same length. */
function lengthOf({ window_minutes, metric, threshold }: Watched) {
  const isHourly = window_minutes > 0 && window_minutes <= 60
  const fits = isRatio(metric) || window_minutes === (isHourly ? 60 : 1_440)
  return {
    period: isHourly ? '7d' : '30d',
    interval: isHourly ? 'hour' : 'day',
    limit: fits ? (threshold ?? undefined) : undefined,
  } as const
}

const traffic = ['visitors', 'visits', 'pageviews', 'bounce_rate'] as const

async function trafficSeries(alert: Watched, { ask, viewer }: Asked): Promise<WatchedSeries | undefined> {
  const { site_id, kind, goal_id, metric: watched } = alert
  const isRate = watched === 'conversion'
  const name = kind === 'no_data' ? 'pageviews' : goal_id === null ? watched : 'visitors'
  const metric = traffic.find(each => each === name)
  if (!metric) return undefined
  const { period, interval, limit } = lengthOf(alert)
  const read = (filters: object) => ask(Timeseries, { site_id, period, interval, metrics: [metric], ...filters })
  const ofGoal = goal_id === null ? {} : { filters: [['goal', 'is', goal_id]] }
  const [data, all] = await Promise.all([read(ofGoal), isRate ? read({}) : undefined])
  if (!data) return undefined
  return {
    title: isRate ? fieldWords('conversion_rate', viewer) : goal_id ? say(viewer, m.reached_goal) : fieldWords(metric, viewer),
    span: say(viewer, periodMessages[period]),
    unit: isRatio(watched) ? 'percent' : 'count',
    limit: kind === 'threshold' || kind === 'goal' ? limit : undefined,
    points: data.series.map((point, i) => ({
      ...labelled(point.at, interval, viewer),
      value: isRate ? shareOf(point[metric] ?? 0, all?.series[i]?.[metric] ?? 0) : (point[metric] ?? 0),
      isPartial: point.partial,
    })),
  }
}

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole)

const labelled = (at: string, interval: 'hour' | 'day', viewer: Viewer) => {
  const day = pointLabel(at, 'day', viewer)
  return interval === 'hour' ? { at, label: `${day}, ${pointLabel(at, 'hour', viewer)}`, axis: day } : { at, label: day }
}

async function vitalSeries({ site_id, metric, threshold }: Watched, { ask, viewer }: Asked): Promise<WatchedSeries | undefined> {
  const data = await ask(Performance, { site_id, period: '30d' })
  const vital = data?.vitals.find(each => each.metric === metric)
  if (!vital) return undefined
  return {
    title: vital.label,
    span: say(viewer, periodMessages['30d']),
    unit: vital.unit === 'ms' ? 'ms' : undefined,
    limit: threshold ?? undefined,
    points: (vital.series ?? []).map(({ at, value, partial }) => ({ ...labelled(at, 'day', viewer), value, isPartial: partial })),
  }
}

/** Response times of the site's first check: the mean of all locations. */
async function responseTimeSeries({ site_id }: Watched, { ask, viewer }: Asked): Promise<WatchedSeries | undefined> {
  const [first] = (await ask(listOf(CheckAvailability), { site_id, per_page: 1 })) ?? []
  const detail = first && (await ask(UptimeCheckDetail, { id: first.id, range: '30d' }))
  const points = detail ? meanResponseTimes(detail).points : []
  if (points.length === 0) return undefined
  return {
    title: say(viewer, ui.response_times),
    span: say(viewer, periodMessages['30d']),
    unit: 'ms',
    limit: undefined,
    points: points.map(({ at, value }) => {
      const iso = new Date(at).toISOString()
      return { at: iso, label: instant(iso, viewer), axis: dayOf(iso, viewer), value }
    }),
  }
}

/** Percent of the limit that the month has used up to each of its days; undefined for a plan without a limit. */
async function usageSeries({ threshold }: Watched, { ask, viewer, now }: Asked): Promise<WatchedSeries | undefined> {
  const plan = await ask(WorkspacePlan)
  const max = plan?.limits.hits_month
  if (!plan || !max || plan.hits_by_day.length === 0) return undefined
  let used = 0
  const today = new Date(now).toISOString().slice(0, 10)
  return {
    title: say(viewer, m.limit_used),
    span: say(viewer, periodMessages.mtd),
    unit: 'percent',
    limit: threshold ?? undefined,
    points: plan.hits_by_day.map(({ date, hits }) => {
      used += hits
      return { ...labelled(`${date}T00:00:00Z`, 'day', viewer), value: (100 * used) / max, isPartial: date === today }
    }),
  }
}

/** Days ahead for which the chart shows certificates, at most. */
const MAX_DAYS_AHEAD = 90

/** Days left, from today on, of the certificate that expires first, if it is not renewed. Earlier certificates are unknown. */
async function certificateSeries({ site_id, threshold }: Watched, { ask, viewer, now }: Asked): Promise<WatchedSeries | undefined> {
  const checks = (await ask(listOf(CheckAvailability), { site_id, per_page: 100 })) ?? []
  const ends = checks.flatMap(({ ssl_expires_at }) => (ssl_expires_at === null ? [] : [Date.parse(ssl_expires_at)]))
  if (ends.length === 0) return undefined
  const left = (Math.min(...ends) - now) / DAY_MS
  const ahead = Math.min(MAX_DAYS_AHEAD, Math.max(1, Math.ceil(left)))
  return {
    title: say(viewer, m.certificate_left),
    span: say(viewer, m.unless_renewed),
    unit: 'days',
    limit: threshold ?? undefined,
    points: Array.from({ length: ahead + 1 }, (_, day) => ({
      ...labelled(new Date(now + day * DAY_MS).toISOString(), 'day', viewer),
      value: Math.max(0, Math.round((left - day) * 10) / 10),
      isPartial: day > 0,
    })),
  }
}
