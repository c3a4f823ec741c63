/** An installation moves to the other engine while it is used, in spite of kills and lost connections. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { openReportComparison } from '../../scripts/different-reports.ts'
import { creationServices } from '../../scripts/machine.ts'
import { openEngine } from '../../storage/engine/index.ts'
import { instanceKey } from '../../storage/installation/instance-key.ts'
import { migrate } from '../../storage/migrations/migrate.ts'
import { cancelLog } from '../../storage/move/change-log.ts'
import { sourceMark } from '../../storage/installation/move-marks.ts'
import { type MoveWork, move } from '../../storage/move/move.ts'
import { movedTables } from '../../storage/move/moved-tables.ts'
import { tableNames } from '../../storage/sql/table-names.ts'
import type { Store } from '../../storage/store.ts'
import { StorageUnavailable } from '../../storage/values/storage-unavailable.ts'
import { DAY_MS } from '../../storage/values/durations.ts'
import { addSite, hit, store as keep } from '../storage/engine/traffic.ts'
import { type Engine, isThorough, onEachEngine, onPostgres, sqlite } from '../support/engines.ts'
import { isFull, testIfFullOr } from '../support/full.ts'
import { programOf, startProcess } from '../support/process.ts'
import { sendHits } from './hits.ts'
import { kept } from './kept.ts'

const now = Date.parse('2026-05-06T12:00Z')
const today = now / DAY_MS - 0.5
const { signal } = new AbortController()
const work: MoveWork = { signal, place: 'the other', random: randomBytes, progress() {}, compareReports: async () => [] }
/** A move of this takes some 1,400 statements; a later number is never reached. */
const statementsOn = (engine: Engine) =>
  isFull ? Array.from({ length: 140 }, (_, i) => 3 + i * 15) : isThorough(engine) ? [500, 1_100, 100_000] : [900, 100_000]

/** A site with packed, sealed and open days, and an account. */
async function addRecords(store: Store) {
  await setUp(store, { email: 'a@example.com', workspace: 'A', site: 'a.example.com', timezone: 'UTC' }, await creationServices())
  const site = await addSite(store, 'UTC')
  const days = [today - 4, today - 3, today - 2, today]
  await keep(
    store,
    days.flatMap(day => Array.from({ length: 40 }, (_, i) => hitAt(site, day, i))),
  )
  const engine = openEngine(store, { threads: 0, cacheBytes: 4_000_000 })
  const failed = (_: unknown, error: unknown) => {
    throw error
  }
  await engine.sealDays({ now: () => now, signal, minVisitors: 0, failed })
  await engine.packDays({ now: () => now, graceMs: 0, limit: 2, signal, failed })
  await engine.close()
  return site
}

const hitAt = (site: Parameters<typeof hit>[0], day: number, i: number) =>
  hit(site, {
    at: day * DAY_MS + i * 900_000,
    who: `10.0.0.${i % 17}`,
    page: `/${i % 7}-ü`,
    ...(i % 5 === 0 && { event: 'buy', revenue: i * 10, props: { plan: i % 2 === 0 ? 'pro' : 'free', price: i / 4 } }),
    visit: { country: i % 3 === 0 ? 'DE' : 'FR' },
  })

/** @returns whether the process was killed before the move had ended */
async function moveAndKill(from: string, to: string, statement: number): Promise<boolean> {
  const child = spawn(process.execPath, [...programOf('tests/crash/moving.ts'), from, to, String(statement)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, end] = await once(child, 'close')
  assert.ok(code === 0 || end === 'SIGKILL', `the process ended with ${code}`)
  return end === 'SIGKILL'
}

/** All rows, in an order that does not depend on the engine. */
async function allRows({ read }: Store) {
  const found: Record<string, string[]> = {}
  for (const { name, columns } of movedTables) {
    const { rows } = await sql<Record<string, unknown>>`select ${sql.raw(columns.join())} from ${sql.raw(name)}`.execute(read)
    found[name] = rows.map(row => JSON.stringify(columns.map(column => plain(row[column])))).sort()
  }
  return found
}
const plain = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value)

onEachEngine('a move', (engine: Engine) => {
  const other = engine.name === 'sqlite' ? onPostgres() : sqlite

  test('that is killed again and again, while records change, ends with the same rows, reports and key', async t => {
    const [{ store: source, url: from, drop }, { store: target, url: to, drop: dropTarget }] = [await engine.create(), await other.create()]
    t.after(drop)
    t.after(dropTarget)
    const site = await addRecords(source)
    let kills = 0
    const statements = statementsOn(engine)
    for (const [i, statement] of statements.entries()) {
      if (!(await moveAndKill(from, to, statement))) break
      kills++
      // A pause that a killed process left ends by itself; the test does not wait for that.
      const mark = await sourceMark(source.write, await tableNames(source.write, source.dialect))
      if (mark) await sql`update move_source set paused_until = 0 where state = 'paused'`.execute(source.write)
      if (mark?.state === 'moved') continue
      await keep(source, [hitAt(site, today, 50 + i), hitAt(site, today - 1, i)])
      // Unique values change places.
      await sql`update sites set domain = null where number = ${site.number}`.execute(source.write)
      await sql`update sites set domain = ${`t${i}.example.com`}, name = ${`Name ${i}`} where number = ${site.number}`.execute(source.write)
      await sql`delete from events`.execute(source.write)
    }
    t.diagnostic(`${kills} kills`)
    assert.ok(kills >= statements.length - 1)
    assert.deepEqual(await allRows(target), await allRows(source))
    const reports = openReportComparison(source, target)
    assert.deepEqual(await reports.compare(false), [])
    await reports.close()
    const keys = [source, target].map(store => instanceKey(store, store.read, randomBytes))
    assert.deepEqual(await keys[0], await keys[1])

    const change = (store: Store) => sql`update sites set name = 'changed'`.execute(store.write)
    await assert.rejects(change(source), (error: unknown) => error instanceof StorageUnavailable && error.reason === 'moved')
    await assert.rejects(migrate(source), /it was moved to the other/)
    await migrate(target)
    await change(target)
    await addSite(target, 'UTC')
    await assert.rejects(
      sql`insert into goals (id, site_id, name) values ('x', 'pa_none', 'x')`.execute(target.write),
      /foreign key|not.null/i,
      'constraints are there again',
    )
    assert.equal(await cancelLog(source), true)
    await migrate(source)
    await change(source)
  })

  testIfFullOr(isThorough(engine))('while hits come loses and doubles none, and refuses none', async t => {
    const [{ store: source, url: from, drop }, { store: target, url: to, drop: dropTarget }] = [await engine.create(), await other.create()]
    const folder = mkdtempSync(path.join(os.tmpdir(), 'footfall-move-'))
    const domain = 'a.example.com'
    await addRecords(source)
    let service = await startProcess(from, { HITS_SPOOL: folder })
    t.after(async () => {
      await service.end('SIGKILL')
      await drop()
      await dropTarget()
      rmSync(folder, { recursive: true, force: true })
    })
    const hits = sendHits(service.address, { domain, senders: 4 })
    await hits.flows()
    const [program = '', ...flags] = [process.execPath, 'scripts/run.mjs', 'move', '--to', to]
    const mover = spawn(program, flags, { env: { ...process.env, DATABASE_URL: from }, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [mover.stdout, mover.stderr]) stream.on('data', (chunk: Buffer) => void (output += String(chunk)))
    const [code] = await once(mover, 'close')
    assert.equal(code, 0, output)
    assert.match(output, /Restart the service, in the same folder, with:\n {2}DATABASE_URL=/)
    await hits.flows()
    await hits.end()
    assert.deepEqual([...hits.refused], [])
    const readiness = async () => (await fetch(`${service.address}/readyz`)).text()
    // Until a task of the service is refused, only the hits that wait are known.
    let said = await readiness()
    while (/^ready, but \d+ requests with hits wait/.test(said)) {
      await setTimeout(20)
      said = await readiness()
    }
    assert.match(said, /^ready for hits, but the database is being moved/)
    await service.end('SIGTERM')
    service = await startProcess(to, { HITS_SPOOL: folder })
    for (;;) {
      const metrics = await (await fetch(`${service.address}/metrics`)).text()
      if (/^footfall_hits_spool_requests 0$/m.test(metrics)) break
      await setTimeout(20)
    }
    await kept(target, hits.sent, hits.acknowledged)
  })

  test('continues when a connection to the target is lost', async t => {
    const [{ store: source, drop }, { store: target, drop: dropTarget }] = [await engine.create(), await other.create()]
    t.after(drop)
    t.after(dropTarget)
    await addRecords(source)
    const postgres = engine.name === 'postgres' ? source : target
    let breaks = 3
    const progress = () => {
      if (breaks-- > 0)
        void sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
          .execute(postgres.write)
          .catch(() => {})
    }
    for (;;) {
      try {
        await move(source, target, { ...work, progress })
        break
      } catch (error) {
        assert.ok(error instanceof StorageUnavailable, String(error))
      }
    }
    assert.deepEqual(await allRows(target), await allRows(source))
  })

  test('is refused to a target that has rows, or tables of others, and leaves the source as it is', async t => {
    const [{ store: source, drop }, { store: target, drop: dropTarget }] = [await engine.create(), await other.create()]
    t.after(drop)
    t.after(dropTarget)
    await addRecords(source)
    const tables = async () => (await sql<{ name: string }>`${sql.raw(source.dialect.tableNames)}`.execute(source.read)).rows.length
    const before = await tables()
    await sql`create table foreign_table (id integer)`.execute(target.write)
    await assert.rejects(move(source, target, work), /The target cannot be used: it is not empty: it has a table foreign_table/)
    await sql`drop table foreign_table`.execute(target.write)
    await addSite(target, 'UTC')
    await assert.rejects(move(source, target, work), /The target cannot be used: it is not empty: \w+ has rows/)
    await sql`insert into kysely_migration (name, timestamp) values ('2099-01-01-1-later', 'x')`.execute(source.write)
    await assert.rejects(move(source, target, work), /the schema of a newer version \(2099-01-01-1-later\)/)
    assert.equal(await tables(), before)
  })

  test('that has not ended keeps a service from starting on the target', async t => {
    const [{ store: source, drop }, { store: target, drop: dropTarget }] = [await engine.create(), await other.create()]
    t.after(drop)
    t.after(dropTarget)
    await addRecords(source)
    const aborted = new AbortController()
    assert.equal(await move(source, target, { ...work, signal: aborted.signal, progress: () => aborted.abort() }), undefined)
    await assert.rejects(migrate(target), /a move to it has not ended/)
    await keep(source, [])
    assert.ok(await move(source, target, work))
    await migrate(target)
  })
})
