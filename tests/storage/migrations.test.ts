/** A new database and one that was upgraded have the same schema, which is the one that is declared. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { before, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { openEngine } from '../../storage/engine/index.ts'
import { sealAgain } from '../../storage/migrations/conversions/seal-again.ts'
import { migrate } from '../../storage/migrations/migrate.ts'
import { runStep } from '../../storage/migrations/run-step.ts'
import { recordedNames, steps } from '../../storage/migrations/steps.ts'
import type { Table } from '../../storage/schema/table.ts'
import { tables, visitDimensionNumbers } from '../../storage/tables/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { addGoal, addSite, hit, store as keep } from './engine/traffic.ts'
import { databaseOf, emptyDatabase, schemaDays, writeSchema } from './released-schemas.ts'
import { schemaOf } from './schema-of.ts'

const conversions = new URL('../../storage/migrations/conversions/', import.meta.url)

test('a conversion imports nothing of the code, so that its result stays what it was', () => {
  for (const name of fs.readdirSync(conversions)) {
    const text = fs.readFileSync(new URL(name, conversions), 'utf8')
    for (const [line, specifier = ''] of text.matchAll(/^(?:import|export) .*from '([^']+)'/gm)) {
      const isOurs = specifier.startsWith('.') && !line.startsWith('import type ')
      assert.ok(!isOurs, `${name}: a conversion writes out what it stores: ${line}`)
    }
  }
})

test('steps are named for a date and a number, and stand in that order', () => {
  let last = ''
  for (const name of Object.keys(steps)) {
    const [, date = '', number = ''] = /^(\d{4}-\d\d-\d\d)-(\d+)-[a-z-]+$/.exec(name) ?? []
    assert.ok(date, `${name}: a step is named like 2026-12-01-1-greetings`)
    const sorted = `${date} ${number.padStart(4, '0')}`
    assert.ok(sorted > last, `${name} comes after a step with a later date or number`)
    last = sorted
  }
  assert.equal(new Set(recordedNames).size, recordedNames.length)
})

test('dimensions of visits have column numbers of their own', () => {
  const numbers = Object.values(visitDimensionNumbers).map(({ column }) => column)
  assert.equal(new Set(numbers).size, numbers.length)
})

/** Compares schemas line by line. */
function assertSame(schema: readonly string[], expected: readonly string[], sentence: string): void {
  const lacking = expected.filter(line => !schema.includes(line)).map(line => `lacks ${line}`)
  const surplus = schema.filter(line => !expected.includes(line)).map(line => `has ${line}`)
  assert.deepEqual([...lacking, ...surplus], [], sentence)
}

const forgotten =
  'storage/tables declares another schema than the steps make: add a step to storage/migrations/steps.ts, and do not change released ones'

onEachEngine('a database', engine => {
  /** The schema of a new database. */
  let expected: readonly string[]
  before(async () => {
    if (process.env.WRITE_SCHEMA) await writeSchema(engine, Object.keys(steps).at(-1)?.slice(0, '2026-01-01'.length) ?? '')
    const { store, drop } = await emptyDatabase(engine)
    assert.deepEqual(await migrate(store), recordedNames)
    assert.deepEqual(await migrate(store), [], 'there is nothing left to do')
    expected = await schemaOf(store)
    await drop()
  })

  test('that runs every step after the first has the schema of a new one', async () => {
    const { store, drop } = await emptyDatabase(engine)
    const [first = ''] = Object.keys(steps)
    await store.transaction(trx => runStep(trx as unknown as Kysely<unknown>, store.dialect, first))
    await sql`create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(store.write)
    await sql`insert into kysely_migration (name, timestamp) values (${recordedNames[0]}, '2026-11-20T00:00:00Z')`.execute(store.write)
    assert.deepEqual(await migrate(store), recordedNames.slice(1))
    assertSame(await schemaOf(store), expected, forgotten)
    await drop()
  })

  for (const day of schemaDays) {
    test(`of ${day} has the schema of a new one after its upgrade`, async () => {
      const { store, drop } = await databaseOf(engine, day)
      await migrate(store)
      assertSame(await schemaOf(store), expected, forgotten)
      await drop()
    })
  }

  test('of the oldest schema keeps its data, as the steps convert it', async () => {
    const { store, drop } = await databaseOf(engine, schemaDays[0] ?? '')
    const { write } = store
    for (const row of rowsOfOldest) await sql.raw(`insert into ${row}`).execute(write)
    await migrate(store)
    const list = async (text: string) => (await sql.raw<{ value: unknown }>(text).execute(write)).rows.map(({ value }) => value)
    assert.deepEqual(await list('select channel_id as value from alert_channels order by position'), ['nch_2', 'nch_1'])
    assert.deepEqual(await list('select door as value from audit_entries'), ['command'])
    assert.deepEqual(await list('select value from dict where site_id = 1'), ['/a b'])
    assert.deepEqual(await list('select site_id as value from site_tracking'), ['site_1'])
    assert.deepEqual(await list('select email as value from accounts'), ['ada@xn--mnchen-3ya.example'])
    assert.deepEqual(await list("select count(*) as value from instance_secrets where name = 'installation'"), [1])
    await drop()
  })

  test('has the columns that are declared, with their types', async () => {
    const { store, drop } = await engine.create()
    const { types, name: dialect } = store.dialect
    const found = new Map((await store.read.introspection.getTables()).map(({ name, columns }) => [name, columns]))
    const sqlName: Readonly<Record<string, string>> = { integer: 'int4', bigint: 'int8', 'double precision': 'float8' }
    const declared: Readonly<Record<string, Table>> = tables
    for (const [table, { columns }] of Object.entries(declared)) {
      const real = found
        .get(table)
        ?.map(column => [column.name, column.dataType.toLowerCase(), column.isNullable, Boolean(column.hasDefaultValue)])
      const given = Object.entries(columns).map(([name, { type, nullable = false, default: value }]) => {
        const dataType = type === 'serial' ? 'integer' : types[type]
        return [name, dialect === 'postgres' ? (sqlName[dataType] ?? dataType) : dataType, nullable, value !== undefined]
      })
      assert.deepEqual(real?.sort(), given.sort(), table)
    }
    await drop()
  })

  test('whose visits get another dimension has no value in those that are there, and seals their days again', async () => {
    const { store, drop } = await engine.create()
    const site = await addSite(store, 'UTC')
    const at = Date.parse('2026-05-05T12:00Z')
    await keep(store, [hit(site, { at, who: 'anna' })])
    const failed = (_: unknown, error: unknown) => {
      throw error
    }
    const analytics = openEngine(store, { threads: 0 })
    const seal = () => analytics.sealDays({ now: () => at + 2 * 86_400_000, signal: new AbortController().signal, minVisitors: 0, failed })
    await seal()
    await sql`alter table visits add column mood integer not null default 0`.execute(store.write)
    await sealAgain(store.write as unknown as Kysely<unknown>)
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

  test('whose pages were stored with escapes has the pages that they are now, in hits, goals and funnels', async () => {
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
    await store.transaction(trx => runStep(trx as unknown as Kysely<unknown>, store.dialect, '2026-11-22-10-readable-paths'))

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

/** Rows of a database of the oldest schema that steps convert. */
const rowsOfOldest = [
  "workspaces (id, name, created_at) values ('ws_1', 'W', 1)",
  `accounts (id, email, theme, default_landing, locale, shortcuts_enabled, reduce_motion, product_emails, newsletter, marketing_emails,
    two_factor, passkeys, created_at) values ('acc_1', 'ada@münchen.example', 'system', 'overview', 'en', 1, 0, 0, 0, 0, 0, 0, 1)`,
  `sites (id, workspace_id, name, domain, timezone, currency, public, week_start, created_at)
    values ('site_1', 'ws_1', 'S', 's.example', 'UTC', 'EUR', 0, 1, 1)`,
  `channels (id, workspace_id, name, kind, target, created_at, updated_at)
    values ('nch_1', 'ws_1', 'One', 'email', '[]', 1, 1), ('nch_2', 'ws_1', 'Two', 'email', '[]', 1, 1)`,
  `alerts (id, workspace_id, site_id, name, kind, window_minutes, sensitivity, channel_ids, state, enabled, created_at)
    values ('alt_1', 'ws_1', 'site_1', 'A', 'no_data', 60, 'low', '["nch_2","nch_1"]', 'ok', 1, 1)`,
  `audit_entries (id, workspace_id, at, operation, actor, surface, request_id, input)
    values ('aud_1', 'ws_1', 1, 'sites_create', 'setup', 'cli', 'req_1', '{}')`,
  "dict (site_id, dim, id, value) values (1, 1, 1, '/a%20b')",
]
