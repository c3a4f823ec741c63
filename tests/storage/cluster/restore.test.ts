/** Postgres and ClickHouse restored from backups, as docs/clickhouse.md says: Postgres' first, then ClickHouse's. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { ClusterSettings } from '../../../storage/cluster/cluster.ts'
import { moveOut } from '../../../storage/moved-days/moving.ts'
import { tableNames } from '../../../storage/cluster/tables.ts'
import { clusterDays, openEngine, type Query } from '../../../storage/engine/index.ts'
import { openBulk } from '../../../storage/hits/bulk-hits.ts'
import { migrate } from '../../../storage/migrations/migrate.ts'
import { openStore, type Store } from '../../../storage/store.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import { randomBytes } from '../../support/chance.ts'
import { type RunningClickhouse, withoutClickhouse } from '../../support/clickhouse.ts'
import { sharedClickhouse } from '../../support/engines.ts'
import { fullPostgres, type OwnPostgres, startOwnPostgres } from '../../support/postgres.ts'
import { breakdownOf } from '../engine/breakdown-question.ts'
import { addSite, hit, store as keep } from '../engine/traffic.ts'

const run = promisify(execFile) // while it runs, `fetch` notices that ClickHouse closes idle connections
const programs = fullPostgres() ?? ''
const skip =
  withoutClickhouse() ||
  (process.env.TEST_CLICKHOUSE_URL ? 'needs the files of a clickhouse-server' : !programs && 'needs pg_dump: apt-get install postgresql')
const first = Date.parse('2026-05-05') / DAY_MS
const at = (day: number, minutes: number) => (first + day) * DAY_MS + minutes * 60_000
const signal = new AbortController().signal
const where = [{ dimension: 'country', operator: 'is_not' as const, values: ['FR'], pointer: '' }]

type Site = Awaited<ReturnType<typeof addSite>>

async function send(store: Store, site: Site, ...days: number[]): Promise<void> {
  const sent = days.flatMap(day =>
    Array.from({ length: 30 }, (_, i) =>
      hit(site, {
        at: at(day, i * 20),
        who: `10.0.${day}.${i % 7}`,
        page: `/${i % 5}`,
        visit: { country: ['DE', 'FR', ''][(i + day) % 3] ?? '' },
      }),
    ),
  )
  await keep(store, sent, 30)
}

/** Seals what is over, and moves all of it. */
async function away(store: Store, now: number): Promise<void> {
  await seal(store, now)
  await moveOut(store, { now: () => now, graceMs: 0, signal })
}

async function seal(store: Store, now: number): Promise<void> {
  const engine = openEngine(store, { threads: 0 })
  const failed = (_: unknown, error: unknown) => assert.fail(String(error))
  await engine.sealDays({ now: () => now, signal, minVisitors: 0, failed })
  await engine.close()
}

/** The answer for each day: `cluster` if ClickHouse cannot answer. */
async function answersByDay(store: Store, { number }: Site, days: number): Promise<unknown[]> {
  const engine = openEngine(store, { threads: 0 })
  const answers: unknown[] = []
  for (let day = 0; day < days; day++) {
    const span = { fromDay: first + day, toDay: first + day, from: at(day, 0), to: at(day + 1, 0), whole: true }
    const asked: readonly Query['asked'][] = [
      { report: 'totals', series: [[span]] },
      breakdownOf('page', span),
      breakdownOf('country', span),
    ]
    try {
      const found: unknown[] = []
      for (const one of asked) found.push(await engine.query({ site: number, where, goals: [], asked: one }))
      answers.push(found)
    } catch (error) {
      assert.ok(error instanceof StorageUnavailable && error.message.includes(dateOf(first + day)), String(error))
      answers.push(error.reason)
    }
  }
  await engine.close()
  return answers
}

describe('a restore from backups', { skip }, () => {
  let postgres: OwnPostgres
  let clickhouse: RunningClickhouse
  let folder: string
  before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-backup-'))
    postgres = await startOwnPostgres({ programs })
    clickhouse = await sharedClickhouse()
  })
  after(async () => {
    await postgres.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  const pg = (database: string) => Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href
  async function asked(query: string): Promise<string[]> {
    const answer = await fetch(clickhouse.url, { method: 'POST', body: query })
    const text = await answer.text()
    assert.equal(answer.status, 200, text)
    return text.split('\n').filter(Boolean)
  }
  const settings = (database: string): ClusterSettings => ({ url: clickhouse.url, user: 'default', password: '', database, cluster: '' })

  async function installed(name: string) {
    const admin = openStore(postgres.url, { connections: 1 })
    await sql.raw(`create database ${name}`).execute(admin.write)
    await admin.close()
    await asked(`create database ${name}`)
    const store = openStore(pg(name), { cluster: settings(name) })
    await migrate(store)
    return { store, name, site: await addSite(store, 'UTC') }
  }

  /** As `pg_dump`. */
  async function dumped(name: string): Promise<string> {
    const file = path.join(folder, `${name}.dump`)
    await run(path.join(programs, 'pg_dump'), ['-Fc', '-f', file, pg(name)])
    return file
  }

  /** As `alter table … freeze` keeps parts: links to their files, which are never changed. @returns where they are, by table */
  async function frozen(name: string): Promise<string> {
    const target = fs.mkdtempSync(path.join(folder, 'frozen-'))
    const [{ path: part = '' } = {}] = (await asked(`select path from system.parts where active and database = '${name}' limit 1`)).map(
      path => ({ path }),
    )
    const shadow = path.join(part.slice(0, part.indexOf('/data/data/')), 'data', 'shadow')
    fs.rmSync(shadow, { recursive: true, force: true })
    for (const table of tableNames) {
      for (const partition of await asked(
        `select distinct partition from system.parts where active and database = '${name}' and table = '${table}'`,
      ))
        await asked(`alter table ${name}.${table} freeze partition ${partition}`)
    }
    for (const number of fs.readdirSync(shadow).filter(entry => /^\d+$/.test(entry))) {
      const tables = path.join(shadow, number, 'data', name)
      if (fs.existsSync(tables)) fs.cpSync(tables, target, { recursive: true })
    }
    return target
  }

  /** Both, under another name. */
  async function restored(name: string, dump: string, parts: string): Promise<Store> {
    const admin = openStore(postgres.url, { connections: 1 })
    await sql.raw(`create database ${name}`).execute(admin.write)
    await admin.close()
    await run(path.join(programs, 'pg_restore'), ['-d', pg(name), dump])
    await asked(`create database ${name}`)
    const store = openStore(pg(name), { cluster: settings(name) })
    await store.cluster?.prepare()
    const [one = ''] = await asked(`select metadata_path from system.tables where database = '${name}' limit 1`)
    const data = path.join(one.slice(0, one.indexOf('/metadata/')), 'data', name)
    for (const table of fs.readdirSync(parts)) {
      for (const part of fs.readdirSync(path.join(parts, table))) {
        fs.cpSync(path.join(parts, table, part), path.join(data, table, 'detached', part), { recursive: true })
        await asked(`alter table ${name}.${table} attach part '${part}'`)
      }
    }
    return store
  }

  const checked = async (store: Store) => {
    const { different } = await (await clusterDays()).checkCluster(store, 100, { now: () => at(40, 0), signal, progress() {} })
    return different.map(({ day }) => day - first)
  }

  test('taken as the documentation says has the same answers, and nothing is missing', async () => {
    const { store, name, site } = await installed('whole')
    await send(store, site, 0, 1, 2, 3)
    await away(store, at(20, 0))
    await send(store, site, 4, 5)
    await seal(store, at(20, 0))
    const answers = await answersByDay(store, site, 6)
    const dump = await dumped(name)
    // Meanwhile the service goes on.
    const late = openBulk(store, { now: () => at(20, 10), randomBytes })
    assert.equal((await late([hit(site, { at: at(1, 5), who: 'late', visit: { country: 'DE' } })], async () => {}))[0]?.stored, true)
    await send(store, site, 6)
    await away(store, at(20, 20))
    const parts = await frozen(name)
    await store.close()

    const again = await restored('whole_again', dump, parts)
    assert.deepEqual(await answersByDay(again, site, 6), answers)
    assert.deepEqual(await checked(again), [])
    await away(again, at(20, 30))
    assert.deepEqual(await answersByDay(again, site, 6), answers)
    assert.deepEqual(await checked(again), [])
    await again.close()
  })

  test('with a ClickHouse that lacks days names these, refuses reports on them, and copies those again whose rows are in Postgres', async () => {
    const { store, name, site } = await installed('older')
    await send(store, site, 0, 1, 2)
    await away(store, at(20, 0))
    const parts = await frozen(name)
    await send(store, site, 3, 4)
    await away(store, at(20, 0))
    await send(store, site, 6, 7) // a hit brings rows of the day before back
    await seal(store, at(20, 0))
    const answers = await answersByDay(store, site, 8)
    const dump = await dumped(name)
    await store.close()

    const again = await restored('older_again', dump, parts)
    const without = (...days: number[]) => answers.map((answer, day) => (days.includes(day) ? 'cluster' : answer))
    assert.deepEqual(await answersByDay(again, site, 8), without(3, 4, 6, 7))
    assert.deepEqual(await checked(again), [3, 4, 6, 7])
    assert.deepEqual(await answersByDay(again, site, 8), without(3, 4))
    await seal(again, at(20, 0))
    assert.deepEqual(await answersByDay(again, site, 8), without(3, 4))
    assert.deepEqual(await checked(again), [3, 4])
    await again.close()
  })
})
