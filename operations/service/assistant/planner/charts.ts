/** Charts, from what reports answered. */
import { type Shown, worded } from '../figures.ts'
import type { ChartRecord } from '../records.ts'
import { type Fields, fieldsOf, rowsOf, textOf } from './reads.ts'
import { capital, labelOf, oneOf } from './wording.ts'
import { m } from '../messages.ts'
import type { Say } from '../../../../runtime/texts/say.ts'

const valueOf = (row: Fields | undefined, name: string): number | null => {
  const value = row?.[name]
  return typeof value === 'number' ? value : null
}

/** @param series points; defaults to the points of the whole report */
export function lineOf(data: unknown, metric: Shown, series: readonly Fields[] = rowsOf(fieldsOf(data).series)): ChartRecord | null {
  if (series.length < 2) return null
  const before = rowsOf(fieldsOf(fieldsOf(data).comparison).series)
  return {
    type: 'line',
    labels: series.map(row => textOf(row, 'at')),
    series: series.map(row => valueOf(row, metric)),
    comparison: before.length === series.length ? before.map(row => (row.at === null ? null : valueOf(row, metric))) : null,
    metric,
    format: worded[metric].format,
  }
}

interface TableOf {
  readonly rows: readonly Fields[]
  readonly dimension: string
  readonly metrics: readonly Shown[]
  readonly isCompared: boolean
}

/** In the words of the answer. @param dimension what the values of the first column are */
export function tableOf(say: Say, { rows, dimension, metrics, isCompared }: TableOf): ChartRecord | null {
  if (rows.length === 0) return null
  const [first] = metrics
  const changes = isCompared && first !== undefined && rows.some(row => valueOf(fieldsOf(row.comparison), first) !== null)
  return {
    type: 'table',
    columns: [
      { name: capital(oneOf(say, dimension)), format: null },
      ...metrics.map(metric => ({ name: say(worded[metric].name), format: worded[metric].format })),
      ...(changes && first ? [{ name: say(m.before), format: worded[first].format }] : []),
    ],
    rows: rows.map(row => [
      labelOf(say, dimension, row),
      ...metrics.map(metric => valueOf(row, metric)),
      ...(changes && first ? [valueOf(fieldsOf(row.comparison), first)] : []),
    ]),
  }
}
