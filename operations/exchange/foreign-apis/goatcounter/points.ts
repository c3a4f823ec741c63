/** Visitors by day and by hour, as GoatCounter’s API lists them. */
import { type Days, dayNamed } from '../days.ts'
import { type Asked, refuse } from '../format.ts'
import { lastDays } from './form.ts'
import { type Question, visitorsBy, visitorsOf } from './question.ts'

/** Points of time that an answer reads; hours of one query, and its days: a report has at most 2,000 points. */
const MAX = { points: 50_000, hours: 1_000, days: 80 }
const HOURS = 24

type Points = ReadonlyMap<string, number>
/** By the value of the dimension; '' without one. */
type Series = ReadonlyMap<string, Points>

interface SeriesOf {
  readonly dimensions: readonly string[]
  readonly interval: 'day' | 'hour'
  /** Each is a query. */
  readonly parts: readonly Days[]
}

async function series(asked: Asked, question: Question, { dimensions, interval, parts }: SeriesOf): Promise<Series> {
  const found = new Map<string, Map<string, number>>()
  let read = 0
  for (const days of parts) {
    const wanted = { dimensions: ['time', ...dimensions], interval, limit: MAX.points }
    const { rows, meta } = await visitorsBy(asked, { ...question, days }, wanted)
    read += meta.total ?? 0
    if (read > MAX.points) refuse(400, 'There are too many hours. Ask for fewer paths (limit), or for a shorter period.')
    for (const row of rows) {
      const [time = '', name = ''] = row.values
      const points = found.get(name) ?? new Map<string, number>()
      const at = time.slice(0, interval === 'day' ? 10 : 13)
      points.set(at, (points.get(at) ?? 0) + visitorsOf(row)) // an hour may come twice, when the clocks go back
      found.set(name, points)
    }
  }
  return found
}

/** The days with visitors in parts, each with about a page of hours: a query reads its days again for each page. */
function partsOf(daily: Series): Days[] {
  const hours = new Map<string, number>()
  for (const points of daily.values()) for (const [date, count] of points) hours.set(date, (hours.get(date) ?? 0) + Math.min(count, HOURS))
  const parts: { from: number; to: number; hours: number }[] = []
  for (const [date, more] of [...hours].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [day, last] = [dayNamed(date), parts.at(-1)]
    if (last && last.hours + more <= MAX.hours && day - last.from < MAX.days)
      parts.splice(-1, 1, { ...last, to: day, hours: last.hours + more })
    else parts.push({ from: day, to: day, hours: more })
  }
  return parts
}

/** @param dimensions what the points are divided by, besides time */
export async function pointsBy(
  asked: Asked,
  question: Question,
  dimensions: readonly string[],
): Promise<{ daily: Series; hourly: Series }> {
  const daily = await series(asked, question, { dimensions, interval: 'day', parts: [lastDays(question.days)] })
  return { daily, hourly: await series(asked, question, { dimensions, interval: 'hour', parts: partsOf(daily) }) }
}

export interface PointsOf {
  readonly daily: Points | undefined
  readonly hourly: Points | undefined
}

export interface DayStat {
  readonly day: string
  readonly hourly: number[]
  readonly daily: number
  weekly?: number
  monthly?: number
}

/** Days with their hours; the first day of every seven has their sum, and the first of a month the sum of that month. */
export function statsOf(dates: readonly string[], { daily, hourly }: PointsOf): DayStat[] {
  const stats: DayStat[] = dates.map(day => ({
    day,
    hourly: Array.from({ length: HOURS }, (_, hour) => hourly?.get(`${day}T${String(hour).padStart(2, '0')}`) ?? 0),
    daily: daily?.get(day) ?? 0,
  }))
  let [week, month] = [0, 0]
  for (const [i, { day, daily: count }] of stats.entries()) {
    if (i % 7 === 0) week = i
    if (day.endsWith('-01')) month = i
    const [ofWeek, ofMonth] = [stats[week], stats[month]]
    if (count === 0 || !ofWeek || !ofMonth) continue
    ofWeek.weekly = (ofWeek.weekly ?? 0) + count
    ofMonth.monthly = (ofMonth.monthly ?? 0) + count
  }
  return stats
}
