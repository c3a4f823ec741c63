/** The figures of an answer as a line over time, or as a table. */
import { capital } from '../../../runtime/texts/names.ts'
import { BarTable } from '../../../runtime/ui/bar-table.tsx'
import { LineChart } from '../../../runtime/ui/charts/line.tsx'
import { inUnit, shortInUnit, plainNumber, type PointInterval, pointLabel, type Viewer } from '../../../runtime/ui/format.ts'
import { fieldWords } from '../../../runtime/ui/words.ts'
import type { ChartRecord } from './records.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

type Line = Extract<ChartRecord, { type: 'line' }>
type Table = Extract<ChartRecord, { type: 'table' }>

export function AnswerChart({ chart, viewer: reader }: { chart: ChartRecord; viewer: Viewer }) {
  const viewer = chart.currency === undefined ? reader : { ...reader, currency: chart.currency }
  return chart.type === 'line' ? <SeriesChart chart={chart} viewer={viewer} /> : <FigureTable chart={chart} viewer={viewer} />
}

function SeriesChart({ chart: { metric, labels, series, comparison, format }, viewer }: { chart: Line; viewer: Viewer }) {
  const before = comparison ?? []
  const interval = intervalOf(labels)
  return (
    <LineChart
      reader={viewer}
      title={fieldWords(metric, viewer)}
      points={labels.map((at, i) => ({
        label: pointLabel(at, interval, viewer),
        value: series[i] ?? null,
        before: before[i] ?? null,
      }))}
      isCompared={before.length > 0}
      format={value => formatted({ value, format, viewer })}
      short={value => formatted({ value, format, viewer, isShort: true })}
    />
  )
}

/** By the distance between the first two points. */
function intervalOf([first = '', second = '']: readonly string[]): PointInterval {
  const hours = (Date.parse(second) - Date.parse(first)) / HOUR_MS
  return hours < 0.9 ? 'minute' : hours < 20 ? 'hour' : hours < 24 * 20 ? 'day' : hours < 24 * 300 ? 'month' : 'year'
}

function FigureTable({ chart: { columns, rows }, viewer }: { chart: Table; viewer: Viewer }) {
  const [first, ...others] = columns
  return (
    <div class="panel">
      <BarTable
        label={first?.name ?? ''}
        columns={others.map(({ name }) => capital(name))}
        rows={rows.map(([label, ...cells]) => ({
          label: String(label ?? ''),
          weight: numberIn(cells[0]),
          cells: cells.map((value, i) => (typeof value === 'number' ? formatted({ value, format: others[i]?.format, viewer }) : '–')),
        }))}
        viewer={viewer}
      />
    </div>
  )
}

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0)

interface Formatted {
  readonly value: number
  readonly format: Line['format'] | null | undefined
  readonly viewer: Viewer
  readonly isShort?: boolean | undefined
}

function formatted({ value, format, viewer, isShort = false }: Formatted): string {
  const hasUnit = format === 'percent' || format === 'ms' || format === 'minor_units'
  return hasUnit ? (isShort ? shortInUnit : inUnit)(value, format, viewer) : plainNumber(value, viewer)
}
