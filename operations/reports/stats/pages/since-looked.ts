/** Visits since the viewer last opened a page of a site. */
import type { Static } from '../../../../runtime/table/schema.ts'
import { wallClock } from '../../../../runtime/ui/format.ts'
import type { ViewedPage } from '../../../../runtime/ui/viewed-page.ts'
import type { Site } from '../../../sites/sites/records.ts'
import { stats_timeseries } from '../operations.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../storage/values/durations.ts'

export interface Since {
  /** Epoch ms. */
  readonly at: number
  readonly visits: number
  readonly pageviews: number
}

/** After a longer absence, the report of the period shows it. */
const MAX_ABSENCE = 60 * DAY_MS

/** @returns undefined if the viewer has not opened the site before, or too long ago */
export async function sinceLooked(
  { id, timezone }: Pick<Static<typeof Site>, 'id' | 'timezone'>,
  { lookedBefore, ask, now }: Pick<ViewedPage, 'lookedBefore' | 'ask' | 'now'>,
): Promise<Since | undefined> {
  const at = lookedBefore(id)
  if (at === undefined || now - at > MAX_ABSENCE) return undefined
  const day = (time: number) => wallClock(time, timezone).slice(0, 10)
  const [from, to] = [day(at), day(now)]
  // Minutes of one day, otherwise hours: a point during which the viewer looked counts as not seen.
  const interval = from === to ? 'minute' : 'hour'
  const answer = await ask(stats_timeseries, { site_id: id, period: 'custom', from, to, interval, metrics: ['visits', 'pageviews'] })
  if (!answer) return undefined
  const length = interval === 'minute' ? MINUTE_MS : HOUR_MS
  const points = answer.series.filter(point => Date.parse(point.at) + length > at)
  const sum = (metric: 'visits' | 'pageviews') => points.reduce((all, point) => all + (point[metric] ?? 0), 0)
  return { at, visits: sum('visits'), pageviews: sum('pageviews') }
}
