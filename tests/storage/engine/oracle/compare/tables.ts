/** Tables by several dimensions against brute force, and against the reports that answer the same. */
import assert from 'node:assert/strict'
import { aggregate, apply, breakdown, dimensionOf, timeseries } from '../../../../../operations/reports/stats/index.ts'
import { possibleMetrics, TIME } from '../../../../../operations/reports/stats/query/input.ts'
import { table } from '../../../../../operations/reports/stats/query/table.ts'
import type { MetricName } from '../../../../../storage/engine/vocabulary/metrics.ts'
import { tableOf } from '../oracle/tables.ts'
import type { Instants } from '../oracle.ts'
import type { Asked } from '../questions.ts'

type Row = Awaited<ReturnType<typeof table>>['data']['rows'][number]
type Figures = Record<string, number | undefined>

export async function tableAgrees(asked: Asked): Promise<void> {
  const { applied, drawn, engine, living, part, before, points, beside, filters } = asked
  const names = [...new Set([...drawn.dimensions, ...(drawn.isOverTime ? [TIME] : [])])].slice(-3)
  const hasTime = names.includes(TIME)
  const others = names.filter(name => name !== TIME)
  const dimensions = others.map(name => dimensionOf(name) ?? assert.fail(name))
  const metrics = [...new Set(possibleMetrics(dimensions, applied.where))]
  const shown = metrics.filter((_, i) => (drawn.limit + i) % 3 > 0)
  const sort = metrics[drawn.limit % metrics.length] ?? assert.fail('a table has no metrics')
  const rank = before ? drawn.rank : 'value'
  const order = rank === 'value' ? drawn.order : 'desc'
  const inOrder = names.map(name => (name === TIME ? null : (dimensionOf(name) ?? null)))
  const asking = { dimensions: inOrder, sort, order, rank, limit: 1_000, page: 1 }
  const { data, total } = await table(applied, { ...asking, metrics: shown.length > 0 ? shown : [sort] }, engine)
  const { data: all } = await table(applied, { ...asking, metrics }, engine)
  assert.equal(total, data.rows.length)
  assert.deepEqual(
    data.rows.map(({ values }) => values),
    all.rows.map(({ values }) => values),
    'the metrics shown change nothing else',
  )

  const places = hasTime ? points : [part]
  const expected = new Map<string, Record<string, number>>()
  const were = new Map<string, Record<string, number>>()
  const labels = [...new Set((await timeseries(applied, engine)).data.series.map(({ at }) => at))]
  const add = (to: typeof expected, point: Instants | null, whole: Instants, label: string | null) => {
    for (const [key, figures] of point ? tableOf(living.oracle, others, { range: point, whole }, filters) : []) {
      const left = (JSON.parse(key) as string[]).values()
      to.set(JSON.stringify(names.map(name => (name === TIME ? label : left.next().value))), figures)
    }
  }
  for (const [i, point] of places.entries()) {
    add(expected, point, part, labels[i] ?? null)
    if (before) add(were, hasTime ? (beside[i] ?? null) : before, before, labels[i] ?? null)
  }
  const size = (row: Row) => {
    const [now, then] = [expected.get(JSON.stringify(row.values))?.[sort] ?? 0, were.get(JSON.stringify(row.values))?.[sort] ?? 0]
    return rank === 'value' ? now : rank === 'gain' ? now - then : then - now
  }
  for (const [i, row] of all.rows.entries()) {
    const next = all.rows[i + 1]
    if (next) assert.ok(order === 'desc' ? size(row) >= size(next) : size(row) <= size(next), 'rows are out of order')
  }
  const keys = (rank === 'value' ? [...expected.keys()] : [...new Set([...expected.keys(), ...were.keys()])]).filter(key => {
    const gain = (expected.get(key)?.[sort] ?? 0) - (were.get(key)?.[sort] ?? 0)
    return rank === 'value' || (rank === 'gain' ? gain > 0 : gain < 0)
  })
  assert.deepEqual(all.rows.map(({ values }) => JSON.stringify(values)).toSorted(), keys.toSorted())
  const figuresIn = (row: object, of: readonly MetricName[]): Figures => Object.fromEntries(of.map(name => [name, (row as Figures)[name]]))
  const none = Object.fromEntries(metrics.map(name => [name, 0]))
  for (const row of all.rows) {
    const key = JSON.stringify(row.values)
    assert.deepEqual(figuresIn(row, metrics), figuresIn(expected.get(key) ?? none, metrics), `${names.join()} ${key}`)
    if (before) assert.deepEqual(figuresIn(row.comparison ?? {}, metrics), figuresIn(were.get(key) ?? none, metrics), `${key} before`)
  }
  for (const [i, row] of data.rows.entries()) assert.deepEqual(figuresIn(row, shown), figuresIn(all.rows[i] ?? {}, shown))

  // Figures that are counted in another way without the others; the second time from what is kept of the first.
  const few = metrics.filter(name => name === 'visitors' || name === 'visits' || name === 'pageviews')
  for (const time of few.length > 0 ? ['first', 'second'] : []) {
    const [only] = few
    const some = await table(applied, { ...asking, sort: only ?? sort, rank: 'value', order: 'desc', metrics: few }, engine)
    const found = some.data.rows.map(row => [JSON.stringify(row.values), figuresIn(row, few)] as const)
    const wanted = Array.from(expected, ([key, figures]) => [key, figuresIn(figures, few)] as const)
    assert.deepEqual(new Map(found.toSorted(byKey)), new Map(wanted.toSorted(byKey)), `${names.join()} with few figures, the ${time} time`)
  }
  if (rank === 'value') await overlaps(asked, names, all.rows)
}

const byKey = ([one]: readonly [string, object], [other]: readonly [string, object]) => (one < other ? -1 : one > other ? 1 : 0)

/** The older reports answer the same. */
async function overlaps({ applied, engine, living, now }: Asked, names: readonly string[], rows: readonly Row[]): Promise<void> {
  const same = (row: object, older: object) => {
    for (const [name, figure] of Object.entries(older))
      if (name in row && typeof figure === 'number') assert.equal((row as Figures)[name], figure, name)
  }
  const [name, ...others] = names.filter(one => one !== TIME)
  if (name === undefined) {
    if (names.length === 0 && rows[0]) same(rows[0], (await aggregate(applied, engine)).data.metrics)
    const { series } = (await timeseries(applied, engine)).data
    if (names.length === 1) for (const row of rows) same(row, series.find(({ at }) => at === row.values[0]) ?? assert.fail('no such point'))
    return
  }
  if (names.includes(TIME)) return
  const page = { limit: 1_000, page: 1, sort: 'visitors' } as const
  const dimension = dimensionOf(others[0] ?? name) ?? assert.fail(name)
  if (others.length > 1 || (others.length === 1 && dimensionOf(name)?.level !== 'visit')) return
  // A table by a dimension of visits and another one has the rows of that one with a filter on the first.
  const value = rows[0]?.values[0]
  if (value === undefined) return
  const filters = [...applied.meta.filters.map(({ condition }) => condition), ...(others.length > 0 ? [[name, 'is', value]] : [])]
  const { range, comparison } = applied
  const within = others.length === 0 ? applied : await apply(living.store.read, living.site, now, { period: 'today', filters })
  const older = await breakdown({ ...within, range, comparison, calendar: applied.calendar }, { dimension, page, engine })
  const found = new Map(older.data.rows.map(row => [row.value, row]))
  const own = others.length === 0 ? rows : rows.filter(row => row.values[0] === value)
  assert.equal(own.length, found.size)
  for (const row of own) {
    const { share: _, ...figures } = found.get(row.values.at(-1) ?? '') ?? assert.fail('no such row')
    same(row, figures)
  }
}
