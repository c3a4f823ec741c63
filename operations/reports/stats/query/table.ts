/** A table of metrics by dimensions: asks the engine, and converts what it finds. */
import { failWith } from '../../../../runtime/table/errors.ts'
import type { Static } from '../../../../runtime/table/schema.ts'
import type { Engine, TableQuestion } from '../../../../storage/engine/index.ts'
import { type Dimension, dimensionOf } from '../../../../storage/engine/vocabulary/dimensions.ts'
import { comparedFigures, type MetricName } from '../../../../storage/engine/vocabulary/metrics.ts'
import type { Order, Rank } from '../../../../storage/engine/vocabulary/scope.ts'
import { type Applied, spanOf } from '../applied.ts'
import { labelIn } from '../breakdown-rows.ts'
import { unidentifiedNotes, zeroNotes } from '../chosen.ts'
import { included } from '../imported.ts'
import { m } from '../messages.ts'
import { periodOf, type Report, withImportedMeta, withNotes } from '../reports.ts'
import { queryOf } from '../scope-of.ts'
import { seriesOf } from '../series.ts'
import { named, TIME } from './input.ts'
import type { QueryTable } from './records.ts'

export interface TableOf {
  /** In the order of the values; null is time. */
  readonly dimensions: readonly (Dimension | null)[]
  readonly metrics: readonly MetricName[]
  readonly sort?: MetricName | typeof TIME | undefined
  readonly order?: Order | undefined
  readonly rank?: Rank
  readonly limit: number
  /** Counts from 1. */
  readonly page: number
}

/** @throws Failure 422 if there are too many combinations */
export async function table(
  applied: Applied,
  { dimensions, metrics: names, sort, order, rank, limit, page }: TableOf,
  engine: Engine,
): Promise<Report<Static<typeof QueryTable>> & { total: number }> {
  const { range, comparison, interval, meta, site } = applied
  const others = dimensions.filter(one => one !== null)
  const hasTime = others.length < dimensions.length
  const series = hasTime ? seriesOf(applied) : null
  const spanIn = (one: typeof range) => spanOf(site.timezone, one, one)
  const sorted = sort ?? (hasTime ? TIME : (names[0] ?? 'visitors'))
  const asked: TableQuestion = {
    report: 'table',
    dimensions: others.map(({ name }) => name),
    span: spanIn(range),
    compared: comparison && spanIn(comparison),
    points: series && series.spans,
    comparedPoints: series && comparison && series.pairedSpans,
    metrics: names,
    sort: sorted === TIME ? others.length : sorted,
    order: order ?? (sorted === TIME ? 'asc' : 'desc'),
    rank,
    offset: (page - 1) * limit,
    limit,
  }
  const { notes, rows, total, all, comparedAll, isTooLarge } = await engine.query({ ...queryOf(applied), asked })
  if (isTooLarge) failWith([{ pointer: '/dimensions', code: 'too_large', message: m.too_many_rows() }])
  const inclusion = included(applied, { able: false })
  return {
    data: {
      period: periodOf(range),
      dimensions: dimensions.map(one => one?.name ?? TIME),
      metrics: [...names],
      ...(hasTime && { interval }),
      rows: rows.map(({ values: found, point, sums, compared, base, comparedBase }) => {
        const at = series?.points[point]
        const left = found.values()
        const values = dimensions.map(one => (one === null ? (at?.label ?? '') : (left.next().value ?? '')))
        const now = { sums, bases: { allVisitors: all.visitors, convertible: base } }
        const isPaired = !series || series.pairedSpans[point] !== null
        const then =
          compared && isPaired ? { sums: compared, bases: { allVisitors: comparedAll?.visitors ?? 0, convertible: comparedBase } } : null
        return {
          values,
          labels: values.map((value, i) => (dimensions[i] ? labelIn(applied, dimensions[i], value) : value)),
          ...(at && { partial: at.partial }),
          ...comparedFigures(names, now, then),
        }
      }),
      ...(comparison && { comparison: { period: periodOf(comparison) } }),
    },
    meta: withNotes(
      withImportedMeta(meta, inclusion, { figures: [], names, sums: [] }),
      [
        ...notes,
        ...others.flatMap(one => (others.length === 1 ? zeroNotes(one, names) : [])),
        ...unidentifiedNotes(applied.site, [...names, ...others.map(({ name }) => name)]),
      ],
      names.includes('share') ? 'visitors_of_report' : null,
    ),
    total,
  }
}

/** Returns the same table for dimensions that are given by their names. */
export const tableByNames = (
  applied: Applied,
  { dimensions, ...given }: Omit<TableOf, 'dimensions'> & { readonly dimensions: readonly string[] },
  engine: Engine,
) => table(applied, { ...given, dimensions: dimensions.map(name => (name === TIME ? null : (dimensionOf(named(name)) ?? null))) }, engine)
