/** The values of a dimension against brute force: their figures, which rows there are in what order, and series of them. */
import assert from 'node:assert/strict'
import { breakdown, dimensionOf, timeseries } from '../../../../../operations/reports/stats/index.ts'
import { possibleMetricsOf } from '../../../../../operations/reports/stats/chosen.ts'
import type { Asked } from '../questions.ts'

type Row = Awaited<ReturnType<typeof breakdown>>['data']['rows'][number]
type Counted = Partial<Omit<Row, 'value' | 'label' | 'rows' | 'comparison'>>

/** What rows have beyond the figures that all rows have. */
interface More {
  readonly isWhole?: boolean
  readonly hasPeople?: boolean
}

function counted({ living: { oracle }, filters }: Asked, dimension: string, of: Asked['part'], { isWhole, hasPeople }: More) {
  const rows: Map<string, Counted> = oracle.breakdown(dimension, of, filters, isWhole)
  if (!hasPeople) return rows
  const people = oracle.people(dimension, of, filters)
  return new Map([...rows].map(([value, row]) => [value, { ...row, people: people.get(value) ?? 0 }]))
}

export function rowsAgree(asked: Asked, dimension: string, rows: readonly Row[], all: boolean, more: More = {}): void {
  const { part, before } = asked
  const expected = counted(asked, dimension, part, more)
  const found = rows.map(({ value, label: _, comparison: __, ...figures }) => [value, figures] as const)
  if (all) assert.deepEqual(new Map(found), expected)
  else for (const [value, figures] of found) assert.deepEqual(figures, expected.get(value))
  if (!before) return
  const were = counted(asked, dimension, before, more)
  for (const row of rows) {
    const { change: _, ...compared } = row.comparison ?? assert.fail('a row without comparison')
    const was = were.get(row.value)
    if (was) assert.deepEqual(compared, was)
    else assert.ok(Object.values(compared).every(figure => figure === 0))
  }
}

export async function breakdownAgrees(asked: Asked): Promise<void> {
  const { applied, drawn, engine, living, part, before, filters } = asked
  const { order, dimension: name } = drawn
  const isPage = name === 'page'
  const isWhole = isPage && (drawn.sort === 'visit_revenue' || drawn.sort === 'conversions')
  const rank = before ? drawn.rank : 'value'
  const dimension = dimensionOf(name) ?? assert.fail(name)
  const sort = possibleMetricsOf(dimension, applied.where).includes(drawn.sort) ? drawn.sort : 'pageviews'
  const more = { isWhole, hasPeople: sort === 'people' }
  const { data, total } = await breakdown(applied, { dimension, page: { limit: 1000, page: 1, sort, order, rank }, engine })
  const { rows } = data
  const ofPeople = await breakdown(applied, { dimension, page: { limit: 1000, page: 1, sort, order, rank, metrics: ['people'] }, engine })
  const people = living.oracle.people(name, part, filters)
  for (const row of ofPeople.data.rows) assert.equal(row.people, people.get(row.value) ?? 0)
  assert.equal(total, rows.length)
  const figure = (row: Counted = {}) =>
    (sort === 'pageviews' ? (isPage ? row.pageviews : (row.conversions ?? (row.pageviews ?? 0) + (row.events ?? 0))) : row[sort]) ?? 0
  const size = (row: Row) => {
    const gain = figure(row) - figure(row.comparison)
    return rank === 'value' ? figure(row) : rank === 'gain' ? gain : -gain
  }
  for (const [i, row] of rows.entries()) {
    const next = rows[i + 1]
    if (!next) continue
    const ahead = order === 'desc' ? size(row) - size(next) : size(next) - size(row)
    assert.ok(ahead > 0 || (ahead === 0 && row.value < next.value), 'rows are out of order')
  }
  if (rank === 'value') return rowsAgree(asked, name, rows, true, more)

  const [now, then] = [part, before ?? part].map(of => counted(asked, name, of, more)) as [Map<string, Counted>, Map<string, Counted>]
  const changed = [...new Set([...now.keys(), ...then.keys()])].filter(value => {
    const gain = figure(now.get(value)) - figure(then.get(value))
    return rank === 'gain' ? gain > 0 : gain < 0
  })
  assert.deepEqual(rows.map(({ value }) => value).toSorted(), changed.toSorted())
  for (const row of rows) assert.deepEqual([figure(row), figure(row.comparison)], [figure(now.get(row.value)), figure(then.get(row.value))])
}

const hasRow = (row: { visits: number; revenue: number; purchases: number } | undefined) =>
  row !== undefined && (row.visits > 0 || row.revenue !== 0 || row.purchases > 0)
const additive = ['visits', 'pageviews', 'revenue'] as const

export async function dividedSeriesAgree(asked: Asked): Promise<void> {
  const {
    living: { oracle },
    applied,
    filters,
    points,
    part,
    engine,
    drawn: { dimension: name, limit },
  } = asked
  const by = dimensionOf(name) ?? assert.fail(name)
  const { data } = await timeseries(applied, engine, { by, limit })
  const found = data.by?.rows ?? assert.fail('nothing was divided')
  const values = found.flatMap(({ value }) => value ?? [])
  const all = oracle.breakdown(name, part, filters)
  assert.equal(values.length, Math.min(limit, all.size))
  const kept = oracle.kept(filters)
  const rest = points.some(point => hasRow(oracle.divided(name, values, point, filters, kept).at(-1)))
  assert.deepEqual(
    found.map(({ value }) => value),
    [...values, ...(rest ? [null] : [])],
  )
  const own = (['events', 'conversions'] as const).filter(metric => (by.metrics as readonly string[]).includes(metric))
  for (const [i, point] of points.entries()) {
    const expected = oracle.divided(name, values, point, filters, kept)
    for (const [group, { series }] of found.entries()) {
      const { at: _, partial: __, ...figures } = series[i] ?? assert.fail('a point is missing')
      const { events, conversions, ...headline } = expected[group] ?? assert.fail('a group is missing')
      const more = { events, conversions }
      assert.deepEqual(figures, { ...headline, ...Object.fromEntries(own.map(metric => [metric, more[metric]])) })
    }
    if (by.level !== 'visit') continue // a visit has one value of it, so that these add up to the whole
    for (const metric of additive) {
      const sum = found.reduce((all, { series }) => all + (series[i]?.[metric] ?? 0), 0)
      assert.equal(sum, data.series[i]?.[metric])
    }
  }
}
