/** Sealed days that their ClickHouse cluster counts by SQL, against the same days with their columns fetched. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import fc from '../../support/properties.ts'
import { type Cluster, newCopy } from '../../../storage/cluster/cluster.ts'
import { clusterTables } from '../../../storage/cluster/tables.ts'
import { type Engine, openEngine, type Query } from '../../../storage/engine/index.ts'
import type { Condition, Goal, Test, Span } from '../../../storage/engine/vocabulary/scope.ts'
import type { Store } from '../../../storage/store.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'
import { withoutClickhouse } from '../../support/clickhouse.ts'
import { postgresAndClickhouse } from '../../support/engines.ts'
import { isFull } from '../../support/full.ts'
import { all, countries, cut, days, events, first, goals, hours, is, now, pages, sentOn, steps, whole } from './remote-traffic.ts'
import { addSite, hit, store as keep } from './traffic.ts'

const { REMOTE_RUNS = isFull ? 150 : 30 } = process.env

/** Alone, negated, of several values, of none. */
const on = (dimension: string, values: readonly string[]): fc.Arbitrary<Test> =>
  fc
    .oneof(
      fc.tuple(fc.constantFrom('is' as const, 'is_not' as const), fc.constantFrom(...values, 'nowhere')),
      fc.tuple(fc.constantFrom('contains' as const, 'not_contains' as const), fc.constantFrom('/docs', 'e', 'o')),
    )
    .map(([operator, value]) => is(dimension, operator, value))
const single = fc.oneof(
  on('page', pages),
  on('entry_page', pages),
  on('country', countries),
  on('browser', ['Firefox']),
  on('source', ['Google']),
  on('event', events),
  on('property:plan', ['pro', 'free']),
  on('goal', ['Signup', 'Docs', 'Pro']),
  on('weekday', ['2', '3']),
)
const where: fc.Arbitrary<readonly Condition[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: single },
    { weight: 1, arbitrary: fc.array(single, { minLength: 1, maxLength: 3 }).map(any => ({ any })) },
  ),
  { minLength: 1, maxLength: 3 },
)
const span = fc.oneof(
  fc.tuple(fc.nat(days - 1), fc.nat(days - 1)).map(([a, b]) => whole(Math.min(a, b), Math.max(a, b))),
  fc.tuple(fc.nat(days * 1_440), fc.nat(days * 1_440)).map(([a, b]) => cut(Math.min(a, b), Math.max(a, b) + 1)),
)
const byDay = Array.from({ length: days }, (_, day) => whole(day, day))
const asked: fc.Arbitrary<Query['asked']> = fc.oneof(
  fc
    .array(
      fc.oneof(
        span.map(one => [one]),
        fc.constant(byDay),
        fc.tuple(fc.nat(days * 24), fc.integer({ min: 1, max: 60 })).map(([from, count]) => hours(from, count)),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map(series => ({ report: 'totals' as const, series })),
  fc
    .record({
      dimension: fc.constantFrom('page', 'country', 'source', 'entry_page', 'utm_campaign', 'event', 'goal', 'browser_version'),
      span,
      compared: fc.option(span, { freq: 3 }),
      limit: fc.constantFrom(2, 50),
    })
    .map(one => ({ report: 'breakdown' as const, sort: 'visitors' as const, offset: 0, ...one })),
  fc
    .record({ steps: fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 5 }), span, compared: fc.option(span, { freq: 3 }) })
    .map(one => ({ report: 'funnel' as const, ...one })),
)

test('no two copies of a process have the same number, at whatever time', () => {
  const numbers = [now, now, now - 1].flatMap(at => Array.from({ length: 2_000 }, () => newCopy(at)))
  assert.equal(new Set(numbers).size, numbers.length)
})

describe('days that ClickHouse counts', { skip: withoutClickhouse() }, () => {
  let database: Awaited<ReturnType<typeof postgresAndClickhouse.create>>
  let site: number
  /** Queries with groups that ClickHouse was asked. */
  let queries: string[] = []
  /** How often columns were fetched from it. */
  let fetches = 0
  let counting: Engine
  let fetching: Engine
  /** The same store, whose queries to the cluster are seen. */
  let seen: Store

  before(async () => {
    database = await postgresAndClickhouse.create()
    const { store } = database
    const added = await addSite(store, 'UTC')
    site = added.number
    await keep(
      store,
      Array.from({ length: days }, (_, day) => sentOn(day))
        .flat()
        .map(one => hit(added, one)),
    )
    const { cluster } = store
    assert.ok(cluster)
    const read: Cluster['read'] = query => {
      queries.push(query)
      return cluster.read(query)
    }
    const select: Cluster['select'] = (...given) => {
      fetches++
      return cluster.select(...given)
    }
    seen = { ...store, cluster: { ...cluster, read, select } }
    counting = openEngine(seen, { threads: 0, cacheBytes: 20_000, maxFetched: 0 }) // remembers no columns
    fetching = openEngine(seen, { threads: 0, cacheBytes: 4_000_000, maxFetched: Infinity })
    const failed = (_: unknown, error: unknown) => {
      throw error
    }
    await fetching.sealDays({ now: () => now, signal: new AbortController().signal, minVisitors: 0, failed })
  })
  after(() => database.drop())

  test('every answer is the same, of random filters', async () => {
    queries = []
    await fc.assert(
      fc.asyncProperty(where, fc.oneof(asked, fc.array(asked, { minLength: 2, maxLength: 3 })), async (where, asked) => {
        const each = Array.isArray(asked) ? ({ report: 'several', each: asked } as Query['asked']) : (asked as Query['asked'])
        const query: Query = { site, where, goals, asked: each }
        assert.deepEqual(await counting.query(query), await fetching.query(query))
      }),
      { numRuns: Number(REMOTE_RUNS) },
    )
    assert.ok(queries.length > Number(REMOTE_RUNS) / 4, `${queries.length} queries`)
  })

  const asking = (dimension: string | null, where: readonly Condition[]): Query => ({
    site,
    where,
    goals,
    asked: dimension
      ? { report: 'breakdown', dimension, span: all, compared: null, sort: 'visitors', offset: 0, limit: 9 }
      : { report: 'totals', series: [[all], byDay] },
  })

  test('each form is counted there, and asked once where reports have it in common', async () => {
    const europe = [is('country', 'is', 'DE', 'FR')]
    const fresh = () => openEngine(seen, { threads: 0, cacheBytes: 4_000_000, maxFetched: 0 })
    const askedFor = async (query: Query) => {
      queries = []
      fetches = 0
      await fresh().query(query)
      assert.equal(fetches > 0, queries.length === 0, 'what was counted is not fetched as well')
      return queries.length
    }
    assert.equal(await askedFor(asking(null, europe)), 1)
    const byHour = (series: Span[][]): Query => ({ ...asking(null, europe), asked: { report: 'totals', series } })
    assert.equal(await askedFor(byHour([hours(24, 48)])), 1, 'hours')
    assert.equal(await askedFor(byHour([hours(0, 24), [whole(0, 1)]])), 2, 'hours, and whole days')
    assert.equal(await askedFor(byHour([hours(0, 24), [cut(30, 90)]])), 0, 'a span that cuts a day is counted here')
    assert.equal(await askedFor(asking('page', europe)), 2, 'pages, and all of them together')
    assert.equal(await askedFor(asking('source', europe)), 1, 'with the total')
    assert.equal(await askedFor(asking('source', [is('page', 'is', '/a')])), 2, 'a filter of pages narrows what counts in rows')
    assert.equal(await askedFor(asking(null, [is('page', 'contains', '/docs')])), 1)
    assert.equal(await askedFor(asking(null, [is('event', 'is_not', 'buy')])), 1)
    assert.equal(await askedFor(asking(null, [is('goal', 'is', 'Docs')])), 1)
    assert.equal(await askedFor(asking(null, [is('goal', 'is', 'Pro')])), 0, 'a goal with a property is counted here')
    const funnel = (...steps: Goal[]): Query => ({ ...asking(null, europe), asked: { report: 'funnel', steps, span: all, compared: null } })
    assert.equal(await askedFor(funnel(...steps.slice(0, -1))), 1, 'a funnel')
    assert.equal(await askedFor(funnel(...steps)), 0, 'a step with a property is counted here')
    assert.equal(await askedFor(asking('country', europe)), 1, 'its rows are stored sums')
    const overview = [asking(null, europe), asking('page', europe), asking('source', europe)].map(({ asked }) => asked)
    assert.equal(await askedFor({ ...asking(null, europe), asked: { report: 'several', each: overview } as Query['asked'] }), 3)
  })

  test('all visits with one value of a dimension are its stored sums: nothing is asked', async () => {
    const counted = async (where: readonly Condition[]) => {
      ;[queries, fetches] = [[], 0]
      const answer = await openEngine(seen, { threads: 0, cacheBytes: 4_000_000, maxFetched: 0 }).query(asking(null, where))
      return { answer, queries: queries.length, fetches }
    }
    for (const one of [is('country', 'is', 'DE'), is('country', 'is', ''), is('browser', 'is', 'Safari')]) {
      const { answer } = await counted([one, is('source', 'contains', '')]) // which all visits pass
      assert.deepEqual(await counted([one]), { answer, queries: 0, fetches: 0 }, `${one.dimension} ${one.values[0]}`)
    }
    assert.equal((await counted([is('country', 'is', 'DE'), is('source', 'is', 'Google')])).queries, 1)
  })

  test('columns that are in memory are counted here', async () => {
    const query = asking(null, [is('country', 'is', 'FR', 'US')])
    await fetching.query(query)
    queries = []
    const engine = openEngine(seen, { threads: 0, cacheBytes: 4_000_000 })
    await engine.query(query)
    assert.equal(queries.length, 0, 'days of few hits are fetched')
    assert.equal(
      await openEngine(seen, { threads: 0, cacheBytes: 4_000_000, maxFetched: 0 })
        .query(query)
        .then(() => queries.length),
      1,
    )
  })

  /** Writes rows of the site again, with other values of some columns. */
  async function rewrite(changed: Readonly<Record<string, string | number>>, where = '1'): Promise<void> {
    const { url, database: name } = database.store.cluster?.settings ?? assert.fail()
    const { values, arrays } = clusterTables.footfall_visits
    const columns = [...Object.keys(values), ...Object.keys(arrays)]
    const body = `insert into footfall_visits (${columns.join()}) select ${columns.map(column => changed[column] ?? column).join()}
      from footfall_visits where site = ${site} and ${where}`
    const inserted = await fetch(`${url}/?database=${name}&insert_distributed_sync=1`, { method: 'POST', body })
    assert.ok(inserted.ok, await inserted.text())
  }
  const answers = () =>
    Promise.all(
      [
        asking(null, [is('country', 'is', 'DE', 'FR')]),
        asking(null, [is('page', 'is', '/a')]),
        asking('page', [is('event', 'is', 'buy')]),
        asking('source', [is('country', 'is', 'DE', 'FR')]),
      ].map(query => openEngine(seen, { threads: 0, cacheBytes: 4_000_000, maxFetched: 0 }).query(query)),
    )

  test('copies that were replaced, and copies of other sites, are not counted', async () => {
    const before = await answers()
    await rewrite({ copy: 'copy + 1000000' })
    await rewrite({ copy: 'copy + 2000000', site: `toUInt32(${site + 1})` })
    fetches = 0
    assert.deepEqual(await answers(), before)
    assert.equal(fetches, 0)
  })

  test('a day that was sealed again since it came into memory is counted from its new copy', async () => {
    const query = asking(null, [is('country', 'is', 'DE', 'FR')])
    const engine = openEngine(seen, { threads: 0, cacheBytes: 4_000_000, maxFetched: 0 })
    const before = await engine.query(query)
    const one = { site_id: site, day: first + 2 }
    const segment = () => seen.read.selectFrom('segments').select('copy').where('site_id', '=', site).where('day', '=', one.day)
    const { copy } = await segment().executeTakeFirstOrThrow()
    await seen.write.updateTable('site_days').set({ sealed_rev: -1 }).where('site_id', '=', site).where('day', '=', one.day).execute()
    const failed = (_: unknown, error: unknown) => assert.fail(String(error))
    await fetching.sealDays({ now: () => now, signal: new AbortController().signal, minVisitors: 0, failed })
    assert.notEqual((await segment().executeTakeFirstOrThrow()).copy, copy)
    const gone = [{ site, day: one.day, copy }]
    await seen.cluster?.remove(gone)
    while ((await seen.cluster?.left(gone))?.size !== 0) await setTimeout(50)
    ;[queries, fetches] = [[], 0]
    assert.deepEqual(await engine.query(query), before)
    assert.deepEqual([queries.length, fetches], [1, 0])
  })

  test('two days whose copies have the same number are not counted as one', async () => {
    const before = await answers()
    const segments = () => seen.read.selectFrom('segments').select(['day', 'copy']).where('site_id', '=', site).orderBy('day')
    const two = await segments().limit(2).execute()
    const same = newCopy(now)
    await rewrite({ copy: same }, `copy in (${two.map(({ copy }) => copy).join()})`)
    const count = (day: number, copy: number) =>
      seen.write.updateTable('segments').set({ copy }).where('site_id', '=', site).where('day', '=', day).execute()
    for (const { day } of two) await count(day, same)
    assert.deepEqual(await answers(), before)
    for (const { day, copy } of two) await count(day, copy)
  })

  test('a day of which rows are missing is an error, never a smaller number', async () => {
    const { store } = database
    const { cluster } = store
    const gone = await store.read
      .selectFrom('segments')
      .select(['day', 'copy'])
      .where('site_id', '=', site)
      .where('day', '=', first + 1)
      .executeTakeFirstOrThrow()
    const copy = { site, ...gone }
    await cluster?.remove([copy])
    while ((await cluster?.left([copy]))?.size !== 0) await setTimeout(50)
    for (const dimension of [null, 'page', 'source']) {
      const engine = openEngine(store, { threads: 0, cacheBytes: 4_000_000, maxFetched: 0 })
      await assert.rejects(
        engine.query(asking(dimension, [is('country', 'is', 'DE', 'FR')])),
        (error: unknown) => error instanceof StorageUnavailable && error.reason === 'cluster' && error.message.includes('2026-05-06'),
      )
    }
  })
})
