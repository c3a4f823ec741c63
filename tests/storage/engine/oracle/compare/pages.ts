/** The detail of a page, and web vitals, against brute force. */
import assert from 'node:assert/strict'
import { webVitalsReport } from '../../../../../operations/reports/performance/index.ts'
import { vitalNames } from '../../../../../operations/reports/stats/index.ts'
import { page } from '../../../../../operations/reports/pages/page.ts'
import type { NewHit } from '../../../../../storage/hits/new-hit.ts'
import type { VitalName } from '../../../../../storage/values/web-vitals.ts'
import { measuredIn, pageOf, ratedBy } from '../oracle/pages.ts'
import { type Instants, rows } from '../oracle.ts'
import type { Asked } from '../questions.ts'

type Detail = Awaited<ReturnType<typeof page>>['data']

export async function pageAgrees(asked: Asked): Promise<void> {
  const {
    living: { oracle },
    applied,
    filters,
    part,
    before,
    engine,
    drawn: { page: path },
  } = asked
  const { data } = await page(applied, { path, hasGrid: true }, engine)
  const rowIn = (range: Instants): Record<string, number> => oracle.breakdown('page', range, filters, true).get(path) ?? {}
  if (rows(filters, 'page').length === 0) {
    const { scroll_depth: _, ...metrics } = data.metrics
    const row = rowIn(part)
    for (const [name, value] of Object.entries(metrics)) assert.equal(value, row[name] ?? 0, name)
    const was = before && rowIn(before)
    assert.equal(data.comparison?.metrics.visits, was ? (was.visits ?? 0) : undefined)
    assert.equal(data.comparison?.metrics.time_on_page, was ? (was.time_on_page ?? 0) : undefined)
    assert.equal(data.comparison?.metrics.visit_revenue, was ? (was.visit_revenue ?? 0) : undefined)
    assert.equal(data.comparison?.metrics.conversions, was ? (was.conversions ?? 0) : undefined)
  }

  const expected = pageOf(oracle, path, part, filters)
  const neighbours = (rows: Detail['previous']) =>
    new Map(rows.map(({ kind, value, times }) => [kind === 'page' ? value : '(none)', times]))
  assert.deepEqual(neighbours(data.previous), expected.previous)
  assert.deepEqual(neighbours(data.next), expected.next)
  const counted = <Row extends { visitors: Set<string> }>(rows: ReadonlyMap<string, Row>) =>
    new Map([...rows].map(([value, row]) => [value, { ...row, visitors: row.visitors.size }]))
  const sources = data.sources.map(({ value, visitors, visits, pageviews }) => [value, { visitors, visits, pageviews }] as const)
  assert.deepEqual(new Map(sources), counted(expected.sources))
  const events = data.events.map(
    ({ value, visitors, visits, events: many, revenue }) => [value, { visitors, visits, events: many, revenue }] as const,
  )
  assert.deepEqual(new Map(events), counted(expected.events))
  const [sum, told] = [expected.scroll.reduce((all, one) => all + one, 0), expected.scroll.length]
  assert.equal(data.metrics.scroll_depth, told === 0 ? null : Math.round((10 * sum) / told) / 10)
  for (const { from, to, visits } of data.scroll.rows) {
    assert.equal(visits, expected.scroll.filter(one => one >= from && one <= to).length)
  }

  const inside = (range: Instants) => measuredIn(oracle, range, filters).filter(hit => hit.page === path)
  pageVitalsAgree(data.vitals, inside(part), before && inside(before))
  clicksAgree(data.clicks, inside(part))
}

const valuesOf = (hits: readonly NewHit[], metric: VitalName) => hits.flatMap(({ vitals: of }) => of[metric] ?? [])

function pageVitalsAgree(rows: Detail['vitals'], now: readonly NewHit[], before: readonly NewHit[] | null): void {
  for (const { value, label: _, unit: __, devices, comparison, ...rated } of rows) {
    assert.deepEqual(rated, ratedBy(value, valuesOf(now, value)))
    for (const { value: device, label: ___, ...one } of devices) {
      assert.deepEqual(
        one,
        ratedBy(
          value,
          valuesOf(
            now.filter(hit => hit.visit.device === device),
            value,
          ),
        ),
      )
    }
    assert.equal(
      devices.reduce((all, one) => all + one.samples, 0),
      rated.samples,
    )
    if (before) assert.equal(comparison?.p75, ratedBy(value, valuesOf(before, value)).p75)
  }
}

function clicksAgree({ clicks: all, elements, grid }: Detail['clicks'], hits: readonly NewHit[]): void {
  const clicks = hits.flatMap(hit => hit.clicks)
  assert.equal(all, clicks.length)
  const isNear = (told: number | null, numbers: number[], within: number) =>
    Math.abs((told ?? 0) - numbers.reduce((sum, one) => sum + one, 0) / numbers.length) < within
  for (const { value, clicks: many, x, y } of elements) {
    const on = clicks.filter(click => click.selector === value)
    assert.equal(many, on.length)
    assert.ok(
      isNear(
        x,
        on.map(click => click.x / 100),
        0.051,
      ),
    )
    assert.ok(
      isNear(
        y,
        on.map(click => click.y),
        0.51,
      ),
    )
  }
  const column = (x: number) => Math.min(49, Math.floor(x / 200)) * 2
  const row = (y: number) => Math.min(999, Math.floor(y / 50)) * 50
  for (const { x, y, clicks: many } of grid?.parts ?? []) {
    assert.equal(many, clicks.filter(click => column(click.x) === x && row(click.y) === y).length)
  }
  assert.equal(
    (grid?.parts ?? []).reduce((sum, one) => sum + one.clicks, 0),
    clicks.length,
  )
}

export async function vitalsAgree({ living: { oracle }, applied, filters, part, engine }: Asked): Promise<void> {
  const { data } = await webVitalsReport(applied, null, engine)
  const now = measuredIn(oracle, part, filters)
  assert.deepEqual(
    data.rows.map(row => row.value),
    vitalNames,
  )
  for (const { value, samples, p75, rating, good, needs_improvement, poor } of data.rows) {
    assert.deepEqual({ samples, p75, rating, good, needs_improvement, poor }, ratedBy(value, valuesOf(now, value)))
  }
}
