import { chartPoints } from '../../../../runtime/ui/charts/series.ts'
import { LineChart } from '../../../../runtime/ui/charts/line.tsx'
import { Change } from '../../../../runtime/ui/change.tsx'
import { plainNumber, shortNumber } from '../../../../runtime/ui/format.ts'
import { fill } from '../../../../runtime/ui/slot.ts'
import { withCondition } from '../../../../runtime/ui/toolbar.tsx'
import { type GoalFigures, goalChart, goalFigures } from '../../../sites/goals/records.ts'
import { stats_breakdown, stats_overview, stats_timeseries } from '../operations.ts'
import { m } from '../messages.ts'
import { ui } from '../../../../runtime/ui/messages.ts'
import { say } from '../../../../runtime/texts/say.ts'

/** As many goals as a report lists. */
const MAX_GOALS = 100

export const figuresOfGoals = fill(goalFigures, async ({ goals, page }) => {
  const report = await page.ask(stats_breakdown, { dimension: 'goal', period: '30d', compare: 'previous_period', limit: MAX_GOALS })
  const rows = new Map(report?.rows.map(row => [row.value, row]))
  const overview = page.pathOf(stats_overview)
  return new Map(
    goals.map((goal): [string, GoalFigures] => {
      const row = rows.get(goal.id) ?? rows.get(goal.name)
      const figures = {
        conversions: row?.conversions ?? 0,
        visitors: row?.visitors ?? 0,
        conversionRate: row?.conversion_rate ?? 0,
        change: row?.comparison && (row.comparison.change.conversions ?? null),
        href: overview && withCondition(new URL(overview, page.url), { dimension: 'goal', value: row?.value ?? goal.name }),
      }
      return [goal.id, figures]
    }),
  )
})

export const chartOfGoal = fill(goalChart, async ({ goal, page }) => {
  const { viewer, url } = page
  const filters = [['goal', 'is', goal.id]]
  const report = await page.ask(stats_timeseries, { period: '30d', metrics: ['visitors'], compare: 'previous_period', filters })
  if (!report) return undefined
  const overview = page.pathOf(stats_overview)
  const before = report.comparison?.series ?? []
  const [now, past] = [report.series, before].map(days => days.reduce((sum, { visitors }) => sum + (visitors ?? 0), 0)) as [number, number]
  return (
    <section class="card" aria-labelledby="lately">
      <div class="between">
        <h2 id="lately">{say(viewer, m.who_reached)}</h2>
        {overview !== undefined && (
          <a href={withCondition(new URL(overview, url), { dimension: 'goal', value: goal.id })}>{say(viewer, m.who_they_were)}</a>
        )}
      </div>
      <p class="headline-figure">
        <span class="figure">{plainNumber(now, viewer)}</span>{' '}
        <Change value={past === 0 ? null : Math.round((1_000 * (now - past)) / past) / 10} isCompared={past > 0} viewer={viewer} />
      </p>
      <LineChart
        reader={viewer}
        title={say(viewer, ui.visitors)}
        points={chartPoints({ interval: report.interval, series: report.series, before }, ({ visitors }) => visitors, viewer)}
        isCompared={before.length > 0}
        format={value => plainNumber(value, viewer)}
        short={value => shortNumber(value, viewer)}
      />
    </section>
  )
})
