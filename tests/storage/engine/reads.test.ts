/** A report declares what it reads before it gets a day: all of that is loaded, and nothing else can be read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnOf } from '../../../storage/engine/columns/column.ts'
import { buildDay, hitParts, propParts, visitParts } from '../../../storage/engine/days/build-day.ts'
import type { Source } from '../../../storage/engine/days/source.ts'
import { openSources } from '../../../storage/engine/days/database-source.ts'
import { columnsRead } from '../../../storage/engine/days/reads.ts'
import { columnNumbers, FORMAT } from '../../../storage/engine/days/sealed-columns.ts'
import { openSealed, sealDay } from '../../../storage/engine/days/sealed-day.ts'
import { answer } from '../../../storage/engine/answer.ts'
import { openEngine, type Query } from '../../../storage/engine/index.ts'
import { openWorkspace } from '../../../storage/engine/scan/workspace.ts'
import type { MetricName } from '../../../storage/engine/vocabulary/metrics.ts'
import { onEachEngine } from '../../support/engines.ts'
import { breakdownOf } from './breakdown-question.ts'
import { addSite, hit, store as keep } from './traffic.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

const empty = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, []])) as never
const noMeasures = { count: 0, page: columnOf([]), first: new Uint32Array(1), visit: columnOf([]) }

test('a column that was not declared cannot be read, and the error says which', () => {
  const day = buildDay(
    { day: 1, startsAt: DAY_MS, endsAt: 2 * DAY_MS },
    {
      visits: empty(visitParts),
      hits: empty(hitParts),
      props: empty(propParts),
    },
  )
  const sealed = sealDay({
    ...day,
    vitals: { ...noMeasures, metric: columnOf([]), device: columnOf([]), value: columnOf([]) },
    clicks: { ...noMeasures, selector: columnOf([]), x: columnOf([]), y: columnOf([]) },
  })
  const opened = openSealed({ ...sealed, copy: 0, format: FORMAT })
  const [[number, blob] = assert.fail()] = sealed.columns.filter(([one]) => one === columnNumbers.hits.page)
  opened.load('columns', number, blob)
  assert.equal(opened.day.hits.page.length, 0)
  assert.throws(() => opened.day.visits.country, /visits\.country of a sealed day was read, but the report does not declare it/)
  assert.throws(() => opened.day.sums.hour, /sums\.hour of a sealed day was read/)
  assert.throws(() => columnsRead('visits.nothing' as never), /a day has no column visits\.nothing/)
})

onEachEngine('columns of sealed days that a query reads', engine => {
  const DAYS = 20
  const first = Math.floor(Date.parse('2026-03-01') / DAY_MS)
  const span = { fromDay: first, toDay: first + DAYS - 1, from: first * DAY_MS, to: (first + DAYS) * DAY_MS, whole: true }
  const breakdown = (dimension: string) => breakdownOf(dimension, span, 9)
  const german: Query['where'] = [{ dimension: 'country', operator: 'is', values: ['DE'], pointer: '' }]

  test('is asked of the source once, before it is read', async () => {
    const { store, drop } = await engine.create()
    const site = await addSite(store, 'UTC')
    await keep(
      store,
      Array.from({ length: DAYS * 3 }, (_, i) =>
        hit(site, {
          at: (first + Math.floor(i / 3)) * DAY_MS + i,
          who: `v${i % 3}`,
          event: i % 3 === 1 ? 'Signup' : '',
          visit: { country: i % 3 === 0 ? 'DE' : 'FR' },
        }),
      ),
    )
    const failed = (_: unknown, error: unknown) => {
      throw error
    }
    await openEngine(store, { threads: 0 }).sealDays({
      now: () => (first + DAYS + 2) * DAY_MS,
      signal: new AbortController().signal,
      minVisitors: 0,
      failed,
    })

    /** Requests for days, and the number of days and ranges answered. */
    const requestsOf = (asked: Query['asked'], where: Query['where'] = []) =>
      openSources(store, { bytes: 1_000_000, clock: () => 0 }).at({ site: site.number }, async source => {
        const requests: { columns: number[]; sums: number[] }[] = []
        const days: Source['days'] = (from, to, request) => {
          const { columns, sums } = request.of({ day: first, startsAt: span.from, endsAt: span.from + DAY_MS }) ?? assert.fail()
          requests.push({ columns: [...columns].sort((a, b) => a - b), sums: [...sums] })
          return source.days(from, to, request)
        }
        await answer({ query: { site: site.number, where, goals: [], asked }, source: { ...source, days }, workspace: openWorkspace() })
        return requests
      })
    const { visits } = columnNumbers
    assert.deepEqual(await requestsOf({ report: 'totals', series: [[span]] }), [{ columns: [], sums: [] }])
    assert.deepEqual(await requestsOf({ report: 'totals', series: [[span]] }, german), [{ columns: [], sums: [visits.country] }])
    assert.deepEqual(await requestsOf(breakdown('browser')), [{ columns: [], sums: [visits.browser] }])
    assert.deepEqual(await requestsOf(breakdown('browser'), german), [
      {
        columns: ['visitor', 'pageviews', 'bounce', 'duration', 'revenue', 'purchases', 'country', 'browser']
          .map(name => visits[name as keyof typeof visits])
          .sort((a, b) => a - b),
        sums: [visits.country], // of all Germans together
      },
    ])
    const tableOf = (metrics: readonly MetricName[]): Query['asked'] => ({
      ...{ report: 'table', dimensions: [], span, compared: null, points: null, comparedPoints: null },
      ...{ metrics, sort: 'visitors', offset: 0, limit: 9 },
    })
    const conditions = [['event', 'Signup'] as const, ['page', '/'] as const]
    for (const [dimension, value] of conditions)
      for (const metric of ['visitors', 'pageviews', 'revenue'] as const)
        await requestsOf(tableOf([metric]), [{ dimension, operator: 'is', values: [value], pointer: '' }])
    const several = { report: 'several', each: [breakdown('browser'), breakdown('source')] } as Query['asked']
    assert.equal((await requestsOf(several, german)).length, 1, 'those that scan look at the days together')
    assert.equal((await requestsOf(several)).length, 2, 'those that add up at as few as they can')
    await drop()
  })
})
