/** Migrations are self-contained, and together create exactly the tables of the code. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { addVisitDimension } from '../../storage/migrations/create-table.ts'
import { openEngine } from '../../storage/engine/index.ts'
import { visitDimensionNumbers, visitDimensions } from '../../storage/tables/index.ts'
import type { Store } from '../../storage/store.ts'
import { onEachEngine } from '../support/engines.ts'
import { addSite, hit, store as keep } from './engine/traffic.ts'

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
})
