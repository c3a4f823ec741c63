/** The usual week of a site by the hour: when visitors come. */
import type { Static } from '../../../../runtime/table/schema.ts'
import { Panel } from '../../../../runtime/ui/bar-table.tsx'
import { type HeatRow, WeekHeat } from '../../../../runtime/ui/charts/heat.tsx'
import { day, hourOfDay, shortWeekday, type Viewer, weekday } from '../../../../runtime/ui/format.ts'
import type { ViewedPage } from '../../../../runtime/ui/viewed-page.ts'
import { Site } from '../../../sites/sites/records.ts'
import { stats_timeseries } from '../operations.ts'
import type { Overview } from '../overview/records.ts'
import { m } from '../messages.ts'
import { say } from '../../../../runtime/texts/say.ts'
import { narrowedBy } from './narrowed-by.ts'
import { WEEK } from './panels.ts'
import { DAY_MS } from '../../../../storage/values/durations.ts'

/** A shorter period has no usual week, and a longer one has too many hours for a report, which shows the last 12 weeks instead. */
const [MIN_DAYS, MAX_DAYS, USUAL_DAYS] = [7, 82, 28]
/** Hours with a label. */
const labelled = [0, 6, 12, 18] as const

type Point = { readonly at: string; readonly visitors?: number | null; readonly partial: boolean }

/** @returns undefined if the viewer may not see the report, or no visitor came */
export async function weekPanel({ period }: Pick<Static<typeof Overview>, 'period'>, page: ViewedPage) {
  const { viewer, url } = page
  const { from, to } = daysOf(period)
  const report = await page.ask(stats_timeseries, {
    period: 'custom',
    from,
    to,
    interval: 'hour',
    metrics: ['visitors'],
    ...narrowedBy(url),
  })
  if (!report) return undefined
  const rows = weekOf(report.series, page.within(Site)?.week_start ?? 1, viewer)
  const busiest = rows
    .flatMap(row => row.values.map((value, hour) => ({ row, hour, value: value ?? 0 })))
    .reduce((best, each) => (each.value > best.value ? each : best))
  if (busiest.value === 0) return undefined
  const hourAt = (hour: number) => hourOfDay(hour, viewer.locale)
  const visitors = (count: number) => say(viewer, m.visitors_mean, { count: Math.round(count * 10) / 10 })
  const says = ({ label, name }: HeatRow, hour: number, value: number) =>
    say(viewer, m.hour_says, { day: name ?? label, hour: hourAt(hour), visitors: visitors(value) })
  return (
    <Panel title={say(viewer, m.week)} id={WEEK}>
      <WeekHeat
        label={say(viewer, m.week_says, {
          when: `${busiest.row.name}, ${hourAt(busiest.hour)}`,
          visitors: visitors(busiest.value),
        })}
        rows={rows}
        hours={new Map(labelled.map(hour => [hour, hourAt(hour)]))}
        says={says}
      />
      <p class="ends help">{say(viewer, m.week_of_days, { from: day(from, viewer), to: day(to, viewer) })}</p>
    </Panel>
  )
}

/** The days of the period, or those around its end. */
function daysOf({ first_day: first, last_day: last }: Static<typeof Overview>['period']): { from: string; to: string } {
  const days = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1
  const counted = days < MIN_DAYS ? USUAL_DAYS : Math.min(days, MAX_DAYS)
  return { from: new Date(Date.parse(last) - (counted - 1) * DAY_MS).toISOString().slice(0, 10), to: last }
}

/** Means by weekday and hour, the first day of the week first. An hour that is not over counts for none. */
function weekOf(series: readonly Point[], first: number, viewer: Viewer): HeatRow[] {
  const sums = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => ({ sum: 0, count: 0 })))
  for (const { at, visitors, partial } of series) {
    const cell = sums[(new Date(`${at.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7]?.[Number(at.slice(11, 13))]
    if (!cell || partial) continue
    cell.sum += visitors ?? 0
    cell.count++
  }
  return Array.from({ length: 7 }, (_, i) => {
    const number = (first - 1 + i) % 7
    return {
      label: shortWeekday(number + 1, viewer.locale),
      name: weekday(number + 1, viewer.locale),
      values: (sums[number] ?? []).map(({ sum, count }) => (count === 0 ? null : sum / count)),
    }
  })
}
