/** GoatCounter’s API for visitors over time: `stats/total` and `stats/hits`. */
import { setImmediate } from 'node:timers/promises'
import { type Asked, refuse } from '../format.ts'
import { countIn, datesOf, goatcounter, isOn, lastDays } from './form.ts'
import { numbersOf, type Path, pathsIn } from './paths.ts'
import { type DayStat, pointsBy, type PointsOf, statsOf } from './points.ts'
import { namesOf, type Question, questionOf, visitorsBy, visitorsOf } from './question.ts'

/** The largest number of paths in an answer, and of their days together. */
const MAX = { limit: 100, days: 20_000 }
const eventsOnly = ['event', 'regex', '.'] as const

export const total = goatcounter(async asked => {
  const question = await questionOf(asked)
  const ofEvents = { ...question, filters: [...question.filters, eventsOnly] }
  const [all, events, { daily, hourly }] = await Promise.all([
    visitorsBy(asked, question, { limit: 1 }),
    visitorsBy(asked, ofEvents, { limit: 1 }),
    pointsBy(asked, question, []),
  ])
  const count = visitorsOf(all.rows[0])
  const stats = statsOf(datesOf(lastDays(question.days)), { daily: daily.get(''), hourly: hourly.get('') })
  return { total: count, total_events: visitorsOf(events.rows[0]), total_utc: count, stats }
})

export const hits = goatcounter(async asked => {
  const question = await questionOf(asked)
  const { site, days, included } = question
  const limit = countIn(asked, 'limit', { otherwise: 20, max: MAX.limit })
  const group = groupIn(asked)
  const excluded = (await pathsIn(asked, site, 'exclude_paths')) ?? []
  const [pages, events] = await Promise.all(
    ([false, true] as const).map(async isEvent => {
      const dimension = isEvent ? 'event' : 'page'
      const wanted = included && namesOf(included, isEvent)
      if (wanted?.length === 0) return []
      const without = namesOf(excluded, isEvent)
      const filters = [
        ...(wanted ? [[dimension, 'any_of', wanted]] : []),
        ...(without.length > 0 ? [[dimension, 'none_of', without]] : []),
        ...(isEvent ? [eventsOnly] : []),
      ]
      const { rows } = await visitorsBy(asked, { ...question, filters }, { dimensions: [dimension], limit: limit + 1 })
      return rows.flatMap(row => (row.values[0] ? [{ path: row.values[0], isEvent, count: visitorsOf(row) }] : []))
    }),
  )
  const listed = [...(pages ?? []), ...(events ?? [])].sort((a, b) => b.count - a.count)
  const shown = listed.slice(0, limit)
  const [number, points] = await Promise.all([numbersOf(asked, site, shown), pointsOf(asked, question, shown)])
  const dates = daysShown(datesOf(lastDays(days)), shown.map(points))
  const answered: unknown[] = []
  for (const { path, isEvent, count } of shown) {
    const stats = statsOf(dates, points({ path, isEvent }))
    answered.push({ count, path_id: number({ path, isEvent }), path, event: isEvent, title: '', max: maxOf(stats, group), stats })
    await setImmediate()
  }
  return { hits: answered, total: shown.reduce((sum, { count }) => sum + count, 0), more: listed.length > limit }
})

/** All days; if these are too many, from the first one with a visitor. @throws Refused */
function daysShown(dates: readonly string[], points: readonly PointsOf[]): readonly string[] {
  if (dates.length * points.length <= MAX.days) return dates
  const [first = ''] = points.flatMap(({ daily }) => [...(daily?.keys() ?? [])]).sort()
  const shown = dates.filter(day => day >= first)
  if (shown.length * points.length > MAX.days) refuse(400, 'There are too many days. Ask for fewer paths (limit), or for a shorter period.')
  return shown
}

async function pointsOf(asked: Asked, question: Question, shown: readonly Path[]): Promise<(path: Path) => PointsOf> {
  const of = async (isEvent: boolean) => {
    const [dimension, names] = [isEvent ? 'event' : 'page', namesOf(shown, isEvent)]
    return names.length === 0 ? undefined : pointsBy(asked, { ...question, filters: [[dimension, 'any_of', names]] }, [dimension])
  }
  const [pages, events] = await Promise.all([of(false), of(true)])
  return ({ path, isEvent }) => {
    const found = isEvent ? events : pages
    return { daily: found?.daily.get(path), hourly: found?.hourly.get(path) }
  }
}

const groups = ['hour', 'day', 'week', 'month'] as const
type Group = (typeof groups)[number]
function groupIn({ query }: Asked): Group {
  const given = query.get('group') ?? (isOn(query.get('daily')) ? 'day' : 'hour')
  return groups.find((name, i) => name === given || String(i) === given) ?? refuse(400, `group is one of ${groups.join(', ')}.`)
}
const countsOf: Readonly<Record<Group, (stat: DayStat) => readonly number[]>> = {
  hour: ({ hourly }) => hourly,
  day: ({ daily }) => [daily],
  week: ({ weekly = 0 }) => [weekly],
  month: ({ monthly = 0 }) => [monthly],
}
const maxOf = (stats: readonly DayStat[], group: Group): number =>
  stats.reduce((max, stat) => countsOf[group](stat).reduce((most, count) => Math.max(most, count), max), 0)
