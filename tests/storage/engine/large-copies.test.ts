/**
 * What ClickHouse counts of large copies, which it reads in many granules and blocks by several threads: days of a few hundred
 * visits are copied there hundreds of times over, each time with other visitors, so every sum is as many times as large.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newCopy } from '../../../storage/cluster/cluster.ts'
import { clusterTables } from '../../../storage/cluster/tables.ts'
import { type Answer, openEngine, type Query } from '../../../storage/engine/index.ts'
import type { Condition } from '../../../storage/engine/vocabulary/scope.ts'
import { sumNames } from '../../../storage/engine/vocabulary/sums.ts'
import type { Store } from '../../../storage/store.ts'
import { withoutClickhouse } from '../../support/clickhouse.ts'
import { postgresAndClickhouse } from '../../support/engines.ts'
import { someOf } from '../../support/full.ts'
import { breakdownOf } from './breakdown-question.ts'
import { goals, hours, is, now, sentOn, steps, whole } from './remote-traffic.ts'
import { addSite, hit, store as keep } from './traffic.ts'

const TIMES = 700
/** More than a day has visitors. */
const STRIDE = 256
/** Without a common divisor with the number of visitors, so that none gets the number of another one. */
const MIXED_BY = 48_271

const filters: Readonly<Record<string, readonly Condition[]>> = {
  'two countries': [is('country', 'is', 'DE', 'FR')],
  'no country or one': [is('country', 'is', '', 'US')],
  'several sources': [is('source', 'is', 'Google', 'news')],
  'another browser': [is('browser', 'is_not', 'Firefox')],
  'a country and a source': [is('country', 'is', 'FR'), is('source', 'is', 'news')],
  'one of three': [{ any: [is('country', 'is', 'US'), is('page', 'is', '/a'), is('property:plan', 'is', 'pro')] }],
  'a page': [is('page', 'is', '/a')],
  'some pages': [is('page', 'contains', '/docs')],
  'not a page': [is('page', 'is_not', '/a')],
  'entry pages': [is('entry_page', 'is', '/', '/b')],
  'an event': [is('event', 'is', 'buy')],
  'not an event': [is('event', 'is_not', 'signup')],
  'a goal of events': [is('goal', 'is', 'Signup')],
  'a goal of pages': [is('goal', 'is', 'Docs')],
  'a page and an event': [is('page', 'is', '/docs/1'), is('event', 'is', 'play')],
  nothing: [is('country', 'is', 'nowhere')],
}
const days = 2
const span = whole(0, days - 1)
const breakdown = (dimension: string) => breakdownOf(dimension, span)
const reports: Readonly<Record<string, Query['asked']>> = {
  'totals and days': { report: 'totals', series: [[span], Array.from({ length: days }, (_, day) => whole(day, day))] },
  hours: { report: 'totals', series: [hours(0, 24 * days)] },
  pages: breakdown('page'),
  campaigns: breakdown('utm_campaign'),
  'a funnel': { report: 'funnel', steps: steps.slice(0, 3), span, compared: null },
}
/** But not rows of the dimension that alone is filtered by: those are stored sums. */
const allAsked = Object.entries(filters).flatMap(([filter, where]) =>
  Object.entries(reports)
    .filter(
      ([, report]) => !(report.report === 'breakdown' && where.every(one => 'dimension' in one && one.dimension === report.dimension)),
    )
    .map(([name, report]) => ({ name: `${name}, ${filter}`, where, report })),
)
/** Of five reports every third one, so each filter and each report is among them. */
const asked = someOf(allAsked, Math.ceil(allAsked.length / 3))

describe('large copies in ClickHouse', { skip: withoutClickhouse() }, () => {
  let database: Awaited<ReturnType<typeof postgresAndClickhouse.create>>
  let site: number
  let counted = 0
  let fetched = 0

  /** Its answers are counted by ClickHouse wherever there is SQL for it. */
  const counting = (): ReturnType<typeof openEngine> => {
    const cluster = database.store.cluster ?? assert.fail()
    const seen: Store = {
      ...database.store,
      cluster: {
        ...cluster,
        read: query => {
          counted++
          return cluster.read(query)
        },
        select: (...given) => {
          fetched++
          return cluster.select(...given)
        },
      },
    }
    return openEngine(seen, { threads: 0, cacheBytes: 20_000, maxFetched: 0 })
  }

  before(async () => {
    database = await postgresAndClickhouse.create()
    const added = await addSite(database.store, 'UTC')
    site = added.number
    const sent = Array.from({ length: days }, (_, day) => sentOn(day)).flat()
    await keep(
      database.store,
      sent.map(one => hit(added, one)),
    )
  })
  after(() => database.drop())

  async function server(statement: string): Promise<string> {
    const { url, database: name } = database.store.cluster?.settings ?? assert.fail()
    const answer = await fetch(`${url}/?database=${name}&insert_distributed_sync=1`, { method: 'POST', body: statement })
    const text = await answer.text()
    assert.ok(answer.ok, text)
    return text
  }

  /** Has the days count on copies that are so many times as large. */
  async function enlarge(): Promise<void> {
    const { values, arrays } = clusterTables.footfall_visits
    const columns = [...Object.keys(values), ...Object.keys(arrays)]
    for (const { day, copy, shape } of await database.store.read.selectFrom('segments').select(['day', 'copy', 'shape']).execute()) {
      const larger = newCopy(now)
      const changed: Readonly<Record<string, string>> = {
        copy: `${larger}`,
        visitor: `toUInt32((visitor + ${STRIDE} * time) * ${MIXED_BY} % ${STRIDE * TIMES} + 1)`,
      }
      await server(`insert into footfall_visits (${columns.join()}) select ${columns.map(column => changed[column] ?? column).join()}
        from footfall_visits array join range(${TIMES}) as time where site = ${site} and copy = ${copy}`)
      const { parts, totals } = JSON.parse(shape) as { parts: Record<string, Record<string, number>>; totals: object } // as it is stored
      assert.ok((parts.visits?.visitors ?? 0) < STRIDE)
      for (const part of Object.values(parts)) part.count = (part.count ?? 0) * TIMES
      Object.assign(parts.visits ?? {}, { visitors: STRIDE * TIMES + 1 })
      const enlarged = { copy: larger, shape: JSON.stringify({ parts, totals }) }
      await database.store.write.updateTable('segments').set(enlarged).where('site_id', '=', site).where('day', '=', day).execute()
    }
  }

  const ask = async (engine: ReturnType<typeof openEngine>): Promise<Answer[]> => {
    const answers: Answer[] = []
    for (const { where, report } of asked) answers.push(await engine.query({ site, where, goals, asked: report }))
    return answers
  }

  test('every count is as many times as large', async () => {
    const { store } = database
    const before = await ask(openEngine(store, { threads: 0, cacheBytes: 4_000_000 })) // of rows, by the engine itself
    const failed = (_: unknown, error: unknown) => {
      throw error
    }
    await counting().sealDays({ now: () => now, signal: new AbortController().signal, minVisitors: 0, failed })
    await enlarge()
    const { cluster, database: name } = store.cluster?.settings ?? assert.fail()
    const parts = cluster === '' ? 'system.parts' : `cluster(${cluster}, system, parts)`
    const largest = await server(`select max(rows) from ${parts} where active and database = '${name}'`)
    assert.ok(Number(largest) > 2 * 65_536, `the largest part has ${largest} rows, not more than two blocks`)

    const [counts, fetches] = [counted, fetched]
    const large = await ask(counting())
    for (const [i, { name }] of asked.entries()) assert.deepEqual(large[i], enlarged(before[i]), name)
    assert.ok(counted - counts >= asked.length)
    assert.equal(fetched, fetches)
  })
})

const summed: ReadonlySet<string> = new Set([...sumNames, 'viewsOfVisits'])

/** An answer of so many times as many visitors. */
function enlarged<T>(value: T): T {
  if (Array.isArray(value)) return value.map(enlarged) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, of]) => [name, typeof of === 'number' && summed.has(name) ? of * TIMES : enlarged(of)]),
  ) as T
}
