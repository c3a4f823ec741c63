/** Reports of events against brute force. */
import assert from 'node:assert/strict'
import { eventDetail, eventList } from '../../../../../operations/reports/events/reports.ts'
import { eventOf, eventsOf, propertiesOf } from '../oracle/events.ts'
import type { Asked } from '../questions.ts'

export async function eventListAgrees(asked: Asked): Promise<void> {
  const {
    living: { oracle },
    applied,
    filters,
    part,
    before,
    engine,
    drawn: { search },
  } = asked
  const { data, total } = await eventList(applied, { search, offset: 0, limit: 100 }, engine)
  const expected = eventsOf(oracle, part, filters, search)
  const found = new Map(data.rows.map(({ value, label: _, names: __, comparison: ___, ...row }) => [value, row]))
  assert.deepEqual(found, expected)
  assert.equal(total, expected.size)
  for (const [i, row] of data.rows.entries()) {
    const next = data.rows[i + 1]
    const isBefore = !next || row.events > next.events || (row.events === next.events && row.value < next.value)
    assert.ok(isBefore, 'out of order')
    assert.ok(row.names.length > 0 && row.names.every(name => oracle.shown(name) === row.value))
  }
  if (!before) return
  const were = eventsOf(oracle, before, filters, search)
  for (const row of data.rows) {
    const { change: _, conversion_rate: __, ...compared } = row.comparison ?? assert.fail('a row without comparison')
    const was = were.get(row.value)
    assert.deepEqual(compared, {
      visitors: was?.visitors ?? 0,
      visits: was?.visits ?? 0,
      events: was?.events ?? 0,
      revenue: was?.revenue ?? 0,
      purchases: was?.purchases ?? 0,
      average_order: was?.average_order ?? 0,
    })
  }
}

const keys = ['plan', 'price', 'nothing']

export async function eventAgrees(asked: Asked): Promise<void> {
  const {
    living: { oracle },
    applied,
    filters,
    part,
    before,
    points,
    beside,
    engine,
    drawn: { event: name },
  } = asked
  const { data } = await eventDetail(applied, { name, properties: keys, settings: new Map(), engine })
  const now = eventOf(oracle, name, part, points, filters, keys)
  const rowsOf = (rows: typeof data.pages) => new Map(rows.map(({ value, label: _, comparison: __, ...figures }) => [value, figures]))
  const seriesOf = (series: readonly { at: string | null; partial: boolean }[] = []) =>
    series.map(({ at: _, partial: __, ...rest }) => rest)
  assert.deepEqual(data.metrics, now.metrics)
  assert.deepEqual(seriesOf(data.series), now.series)
  assert.deepEqual(rowsOf(data.pages), now.pages)
  assert.deepEqual(rowsOf(data.sources), now.sources)
  assert.deepEqual(
    data.properties.map(({ rows }) => rowsOf(rows)),
    now.properties,
  )
  assert.deepEqual(new Map(data.keys.map(({ key, events }) => [key, events])), now.keys)
  for (const key of now.keys.keys()) {
    const found = data.aggregates.find(one => one.key === key)
    const numbers = now.numbers(key)
    assert.equal(found !== undefined, numbers?.mostly ?? false)
    if (!found || !numbers) continue
    for (const measure of ['count', 'sum', 'mean', 'median', 'p90', 'min', 'max'] as const) {
      const [is, should] = [found[measure], numbers[measure]]
      assert.ok(Math.abs(is - should) < 1e-5, `${measure} of ${key}: ${is}, not ${should}`)
    }
  }
  if (!before) return
  const then = eventOf(oracle, name, before, beside, filters, keys)
  assert.deepEqual(data.comparison?.metrics, then.metrics)
  assert.deepEqual(seriesOf(data.comparison?.series ?? []), then.series)
  for (const row of data.pages) {
    const { change: _, ...compared } = row.comparison ?? assert.fail('a row without comparison')
    assert.deepEqual(compared, then.pages.get(row.value) ?? { visitors: 0, visits: 0, events: 0, revenue: 0, share: 0 })
  }
}

export async function propertiesAgree({ living: { oracle, site }, part, applied, engine }: Asked): Promise<void> {
  const span = { fromDay: applied.range.fromDay, toDay: applied.range.toDay, whole: false, ...part }
  const asked = { report: 'properties', span, event: null } as const
  const { rows } = await engine.query({ site: site.number, where: [], goals: [], asked })
  assert.deepEqual(new Map(rows.map(({ key, ...found }) => [key, found])), propertiesOf(oracle, part))
}
