/** Migrations are self-contained, and together create exactly the tables of the code. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { addVisitDimension } from '../../storage/migrations/create-table.ts'
import { readablePaths } from '../../storage/migrations/2026-11-22-z-readable-paths.ts'
import { openEngine } from '../../storage/engine/index.ts'
import { visitDimensionNumbers, visitDimensions } from '../../storage/tables/index.ts'
import type { Store } from '../../storage/store.ts'
import { onEachEngine } from '../support/engines.ts'
import { addGoal, addSite, hit, store as keep } from './engine/traffic.ts'

const folder = new URL('../../storage/migrations/', import.meta.url)

test('a migration imports no list of the code: what it made stays what it was', () => {
  for (const name of fs.readdirSync(folder)) {
    const text = fs.readFileSync(new URL(name, folder), 'utf8')
    for (const [line, specifier = ''] of text.matchAll(/^(?:import|export) .*from '([^']+)'/gm)) {
      const isOurs = specifier.startsWith('../') && !line.startsWith('import type ')
      assert.ok(!isOurs, `${name}: a migration writes out what it makes: ${line}`)
    }
  }
})

onEachEngine('migrations', engine => {
  const columnsOf = async (store: Store) => {
    const tables = await store.read.introspection.getTables()
    return tables.find(({ name }) => name === 'visits')?.columns.map(({ name }) => name) ?? []
  }

  test('make a column for every dimension of visits, with numbers of its own', async () => {
    const { store, drop } = await engine.create()
    const columns = await columnsOf(store)
    for (const dimension of visitDimensions) assert.ok(columns.includes(dimension), `no migration makes visits.${dimension}`)
    const numbers = Object.values(visitDimensionNumbers).map(({ column }) => column)
    assert.equal(new Set(numbers).size, numbers.length)
    await drop()
  })

  test('a dimension that comes later has no value in the visits that are there, and seals their days again', async () => {
    const { store, drop } = await engine.create()
    const site = await addSite(store, 'UTC')
    const at = Date.parse('2026-05-05T12:00Z')
    await keep(store, [hit(site, { at, who: 'anna' })])
    const failed = (_: unknown, error: unknown) => {
      throw error
    }
    const analytics = openEngine(store, { threads: 0 })
    const seal = () =>
      analytics.sealDays({ now: () => at + 2 * 86_400_000, signal: new AbortController().signal, leastVisitors: 0, failed })
    await seal()
    await store.transaction(trx => addVisitDimension(trx as unknown as Kysely<unknown>, store.dialect, 'mood'))
    assert.ok((await columnsOf(store)).includes('mood'))
    await keep(store, [hit(site, { at: at + 60_000, who: 'ben' })])
    const { rows } = await sql<{ mood: number }>`select mood from visits where site_id = ${site.number}`.execute(store.read)
    assert.deepEqual(
      rows.map(({ mood }) => mood),
      [0, 0],
    )
    await seal()
    const {
      rows: [day],
    } = await sql<{ rev: number; sealed_rev: number }>`select rev, sealed_rev from site_days where site_id = ${site.number}`.execute(
      store.read,
    )
    assert.equal(day?.sealed_rev, day?.rev)
    await drop()
  })

  test('pages that were stored with escapes are the pages that they are now, in hits, goals and funnels', async () => {
    const { store, drop } = await engine.create()
    const [both, old] = [await addSite(store, 'UTC'), await addSite(store, 'UTC')]
    const at = Date.parse('2026-05-05T12:00Z')
    const day = Math.floor(at / 86_400_000)
    const clicks = [{ selector: '#buy', x: 1, y: 1 }]
    await keep(store, [
      hit(both, { at, who: 'anna', page: '/a%20b' }),
      hit(both, { at: at + 1_000, who: 'anna', page: '/a%20b', kind: 'vitals', vitals: { lcp: 2_000 } }),
      hit(both, { at: at + 2_000, who: 'anna', page: '/a%20b', kind: 'clicks', clicks }),
      hit(both, { at: at + 3_000, who: 'ben', page: '/a b' }),
      hit(both, { at: at + 4_000, who: 'ben', page: '/next' }),
      hit(old, { at: at + 5_000, who: 'cleo', page: '/%28c%29%2Fd%2' }),
    ])
    await addGoal(store, both, 'goal_1', { name: 'Read', path: '/a%20b' })
    const steps = JSON.stringify([
      { goal_id: 'goal_1', path: null },
      { goal_id: null, path: '/a%20b/*' },
    ])
    await store.write
      .insertInto('funnels')
      .values({ id: 'fun_1', site_id: both.id, name: 'Reading', steps, created_at: 0, updated_at: 0 })
      .execute()
    await store.transaction(trx => readablePaths(trx as unknown as Kysely<unknown>, store.dialect))

    const analytics = openEngine(store, { threads: 0 })
    const within = ({ number }: { number: number }) => ({ site: number, where: [], goals: [] })
    const span = { from: at - 3_600_000, to: at + 3_600_000, fromDay: day, toDay: day, whole: true }
    const of = async (site: { number: number }, path: string) => {
      const asked = { report: 'page', path, span, compared: null, limit: 10 } as const
      return (await analytics.query({ ...within(site), asked })).now.sums.pageviews
    }
    assert.deepEqual([await of(both, '/a b'), await of(both, '/a%20b')], [2, 0])
    assert.deepEqual([await of(old, '/(c)%2Fd%2'), await of(old, '/%28c%29%2Fd%2')], [1, 0])
    const journeys = { report: 'journeys', mode: 'forward', at: { path: '/a b' }, span, compared: null, limit: 5 } as const
    assert.equal((await analytics.query({ ...within(both), asked: journeys })).steps[0]?.visits, 2)
    const vitals = { report: 'vitals', spans: [span], page: '/a b' } as const
    const [measured] = (await analytics.query({ ...within(both), asked: vitals })).spans
    assert.equal(measured?.find(({ metric }) => metric === 'lcp')?.samples, 1)
    const map = { report: 'clicks', path: '/a b', span, elements: 5, parts: 5 } as const
    assert.equal((await analytics.query({ ...within(both), asked: map })).clicks, 1)
    const goal = await store.read.selectFrom('goals').select('path').executeTakeFirst()
    const funnel = await store.read.selectFrom('funnels').select('steps').executeTakeFirst()
    assert.deepEqual([goal?.path, JSON.parse(funnel?.steps ?? '')[1].path], ['/a b', '/a b/*'])
    await analytics.close()
    await drop()
  })
})
