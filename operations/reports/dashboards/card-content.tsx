/** The content of a card: its report as on its own page, in less space. */
import type { Static } from '../../../runtime/table/schema.ts'
import type { Content } from '../../../runtime/table/page.ts'
import { BarTable } from '../../../runtime/ui/bar-table.tsx'
import { Tag } from '../../../runtime/ui/cell.tsx'
import { Change } from '../../../runtime/ui/change.tsx'
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { chartPoints } from '../../../runtime/ui/charts/series.ts'
import { duration, inUnit, shortInUnit, percent, type Viewer } from '../../../runtime/ui/format.ts'
import { hasMarks, Mark } from '../../../runtime/ui/icons/icon.tsx'
import { labelIn } from '../../../runtime/ui/labels.ts'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import { ofRows, ofSomeRows } from '../../../storage/engine/vocabulary/metrics.ts'
import { checkPath } from '../availability/records.ts'
import { Steps } from '../funnels/components.tsx'
import { Now } from '../live/components.tsx'
import { measured, TableRows } from '../stats/components.tsx'
import { VitalsTable } from '../performance/components.tsx'
import { AddedUp } from '../stats/components.tsx'
import { BreakdownRow, Metrics } from '../stats/records.ts'
import type { BreakdownCard, CardData, ChartCard, GoalCard, MetricCard, UptimeCard } from './answers.ts'
import type { CardType } from './records.ts'
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'
import { periodMessages, ui } from '../../../runtime/ui/messages.ts'
import { say } from '../../../runtime/texts/say.ts'

const titles: Readonly<Partial<Record<CardType, PlainMessage>>> = {
  goal: ui.goals,
  live: m.now,
  funnel: m.funnel,
  uptime: ui.uptime,
  vitals: ui.web_vitals,
  table: m.table,
}

interface Titled {
  readonly type: CardType
  readonly title?: string | undefined
  readonly metric?: string | undefined
  readonly dimension?: string | undefined
}

/** Returns the title of a card. Defaults to a name of its content. */
export function cardTitle({ type, title, metric, dimension }: Titled, viewer: Viewer): string {
  if (title) return title
  const message = titles[type]
  return message ? say(viewer, message) : fieldWords(type === 'breakdown' ? (dimension ?? 'page') : (metric ?? 'visitors'), viewer)
}

interface ContentProps {
  readonly data: Static<typeof CardData>
  readonly page: ViewedPage
  /** Metric that a breakdown is ranked by. */
  readonly metric?: string | undefined
  /** Prefix for the ids of elements of the card. */
  readonly id: string
}

export async function CardContent({ data, page, metric, id }: ContentProps): Promise<Content> {
  const { viewer } = page
  switch (data.type) {
    case 'metric':
      return <Metric data={data} viewer={viewer} />
    case 'chart':
      return <Chart data={data} viewer={viewer} />
    case 'breakdown':
    case 'goal':
      return <Values data={data} viewer={viewer} metric={metric} />
    case 'live':
      return <Now data={data} viewer={viewer} id={id} />
    case 'funnel':
      return <Steps rows={data.rows} viewer={viewer} />
    case 'uptime': {
      const paths = await Promise.all(data.checks.map(check => page.fill(checkPath, { id: check.id })))
      return <Uptime data={data} paths={paths} viewer={viewer} />
    }
    case 'vitals':
      return <VitalsTable rows={data.rows} viewer={viewer} />
    case 'table':
      return (
        <section class="scroll" tabindex={0} aria-label={say(viewer, m.table)}>
          <TableRows data={data} viewer={viewer} />
        </section>
      )
  }
}

interface Props<T> {
  readonly data: T
  readonly viewer: Viewer
}

function Metric({ data: { metric, metrics, period, comparison }, viewer }: Props<Static<typeof MetricCard>>) {
  const { unit, better } = Metrics.properties[metric]
  if (!Object.hasOwn(metrics, metric)) return <p class="none">{say(viewer, m.not_shown)}</p> // hidden from this viewer
  const value = measured(metric, metrics) ?? null
  return (
    <p class="headline-figure">
      <span class="figure">{shortInUnit(value, unit, viewer)}</span> <AddedUp metric={metric} period={period} viewer={viewer} />{' '}
      <Change
        value={comparison?.change[metric]}
        figure={value}
        unit={unit}
        isCompared={comparison !== undefined && value !== null && comparison.metrics[metric] !== null}
        isLessBetter={better === 'less'}
        viewer={viewer}
      />
    </p>
  )
}

function Chart({ data: { metric, interval, series, comparison }, viewer }: Props<Static<typeof ChartCard>>) {
  const { unit } = Metrics.properties[metric]
  if (series.length > 0 && series.every(point => point[metric] === undefined)) return <p class="none">{say(viewer, m.not_shown)}</p>
  return (
    <LineChart
      title={fieldWords(metric, viewer)}
      reader={viewer}
      points={chartPoints({ interval, series, before: comparison?.series }, point => measured(metric, point), viewer)}
      isCompared={comparison !== undefined && comparison.series.length > 0}
      format={value => inUnit(value, unit, viewer)}
      short={value => shortInUnit(value, unit, viewer)}
    />
  )
}

interface ValuesProps extends Props<Static<typeof BreakdownCard> | Static<typeof GoalCard>> {
  readonly metric: string | undefined
}

function Values({ data: { dimension, rows, period }, viewer, metric }: ValuesProps) {
  const isOfGoals = rows.some(row => row.conversions !== undefined)
  const ranked = [...ofRows, ...ofSomeRows].find(name => name === metric && rows.some(row => row[name] !== undefined)) ?? 'visitors'
  const { unit } = BreakdownRow.properties[ranked]
  // A share is one of visitors, which next to another metric reads as its share.
  const isOfVisitors = !isOfGoals && ranked !== 'visitors'
  return (
    <BarTable
      viewer={viewer}
      label={fieldWords(dimension, viewer)}
      columns={[
        <>
          {fieldWords(ranked, viewer)} <AddedUp metric={ranked} period={period} viewer={viewer} />
        </>,
        isOfVisitors ? say(viewer, ui.visitors) : say(viewer, isOfGoals ? ui.rate : ui.share),
      ]}
      rows={rows.map(row => ({
        label: labelIn(dimension, row, viewer),
        mark: hasMarks(dimension) && <Mark dimension={dimension} value={row.value} label={row.label} />,
        weight: row[ranked] ?? 0,
        cells: [
          shortInUnit(measured(ranked, row) ?? null, unit ?? 'count', viewer),
          isOfVisitors
            ? shortInUnit(row.visitors ?? null, 'count', viewer)
            : inUnit((isOfGoals ? row.conversion_rate : row.share) ?? null, 'percent', viewer),
        ],
      }))}
    />
  )
}

interface UptimeProps extends Props<Static<typeof UptimeCard>> {
  /** Paths of the pages of the checks, in the same order. */
  readonly paths: readonly (string | undefined)[]
}

function Uptime({ data: { checks }, paths, viewer }: UptimeProps) {
  if (checks.length === 0) return <p class="none">{say(viewer, m.nothing_watched)}</p>
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{say(viewer, m.check)}</th>
          <th scope="col" class="number">
            {say(viewer, periodMessages['30d'])}
          </th>
          <th scope="col" class="number">
            {say(viewer, m.answer)}
          </th>
        </tr>
      </thead>
      <tbody>
        {checks.map(({ name, status, uptime, last_response_ms }, i) => (
          <tr>
            <th scope="row">
              <a href={paths[i]}>{name}</a> <Tag value={status} viewer={viewer} />
            </th>
            <td class="number">{uptime['30d'] === null ? '–' : percent(uptime['30d'], viewer)}</td>
            <td class="number">{last_response_ms === null ? '–' : duration(last_response_ms, viewer)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
