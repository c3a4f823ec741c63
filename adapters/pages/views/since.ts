/** Visits since somebody last looked at a site. */
import { wallClock } from '../../../runtime/ui/format.ts'
import { list, number } from './read.ts'
import type { Seen } from './view.ts'

export interface Since {
  /** Epoch ms. */
  readonly at: number
  readonly visits: number
  readonly pageviews: number
}

const DAY = 86_400_000
/** Who was away longer has the report of the period for it. */
const longest = 60 * DAY

/** @returns undefined where nobody looked before, or it is too long ago */
export async function sinceLooked(
  siteId: string,
  timezone: string,
  { lookedBefore, ask, now }: Pick<Seen, 'lookedBefore' | 'ask' | 'now'>,
): Promise<Since | undefined> {
  const at = lookedBefore(siteId)
  if (at === undefined || now - at > longest) return undefined
  const [from, to] = [at, now].map(time => wallClock(time, timezone).slice(0, 10))
  // Minutes of one day, else hours: a point in which somebody looked counts as not seen.
  const interval = from === to ? 'minute' : 'hour'
  const input = { period: 'custom', from, to, interval, metrics: ['visits', 'pageviews'] }
  const answer = await ask('Timeseries', input, { site_id: siteId })
  if (!answer) return undefined
  const length = interval === 'minute' ? 60_000 : 3_600_000
  const points = list(answer.series).filter(point => Date.parse(String(point.at)) + length > at)
  const sum = (metric: string): number => points.reduce((all, point) => all + number(point[metric]), 0)
  return { at, visits: sum('visits'), pageviews: sum('pageviews') }
}
