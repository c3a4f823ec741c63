/**
 * `npm run bench -- packed [--hits 2000000] [--single] [--plain] [--folder DIR] [--postgres]`: the year of the reports benchmark and,
 * without `--single`, eight small sites, with their days in rows, and the same days packed: sizes, and the CPU time of cold reports,
 * exports and erasures, in turn in one process, by the least of several times. `--plain`: hits without attention, web vitals and
 * clicks. Its databases are made once in the folder.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { openEngine } from '../../storage/engine/index.ts'
import { storedColumns } from '../../storage/moved-days/stored-columns.ts'
import { storedVisits } from '../../storage/moved-days/stored-visits.ts'
import { shrinkTables } from '../../storage/moved-days/postgres-space.ts'
import { rowReturner, rowTables } from '../../storage/moved-days/moving.ts'
import { openStore, type Store, type Trx } from '../../storage/store.ts'
import { startPostgres } from '../../tests/support/postgres.ts'
import { eventEraser, visitWith } from '../../storage/hits/erase-event.ts'
import type { Question } from './reports/ask.ts'
import { askOurs, SITE } from './reports/compare.ts'
import { LAST_DAY } from './reports/dataset.ts'
import { addSmallSites, makeOurs } from './reports/make.ts'
import { questions } from './reports/questions.ts'
import { DAY_MS } from '../../storage/values/durations.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    hits: { type: 'string', default: '2000000' },
    folder: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    times: { type: 'string', default: '7' },
    only: { type: 'string', default: '' },
    single: { type: 'boolean', default: false },
    plain: { type: 'boolean', default: false }, // read by reports/measured.ts
  },
})
const hits = Number(values.hits)
const times = Number(values.times)
const folder = values.folder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-packed-'))
fs.mkdirSync(folder, { recursive: true })
const print = (line: string) => process.stdout.write(`${line}\n`)
const { signal } = new AbortController()
const failed = (_: unknown, error: unknown) => {
  throw error
}
/** A day after the last one of the year. */
const now = (LAST_DAY + 3) * DAY_MS
const CACHE = 400 * 1_048_576

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
async function cpuOf(run: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.()
  const began = cpuMs()
  await run()
  return cpuMs() - began
}

const postgres = values.postgres ? await startPostgres({ durable: true }) : undefined
const urls = postgres
  ? { rows: postgres.url, packed: postgres.url.replace(/\/[^/]*(\?|$)/, '/packed$1') }
  : { rows: `file:${path.join(folder, 'rows.db')}`, packed: `file:${path.join(folder, 'packed.db')}` }

const sizeOf = async (store: Store): Promise<number> => {
  if (store.dialect.name === 'sqlite') {
    await sql`pragma wal_checkpoint(truncate)`.execute(store.write)
    const { rows } = await sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(
      store.read,
    )
    return Number(rows[0]?.bytes ?? 0) / 1e6
  }
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(store.read)
  return Number(rows[0]?.bytes ?? 0) / 1e6
}

async function makeAll(): Promise<void> {
  if (!postgres && fs.existsSync(path.join(folder, 'packed.db'))) return
  if (postgres || !fs.existsSync(path.join(folder, 'rows.db'))) {
    await makeOurs(urls.rows, { hits, size: async () => 0 })
    if (!values.single) await addSmallSites(urls.rows)
  }
  const store = openStore(urls.rows)
  const engine = openEngine(store, { threads: 0, cacheBytes: CACHE })
  while (await engine.sealDays({ now: () => now, signal, failed }));
  print(`rows: ${(await sizeOf(store)).toFixed(1)} MB`)
  await engine.close()
  await store.close()
  if (postgres) {
    const admin = openStore(postgres.url.replace(/\/[^/]*(\?|$)/, '/postgres$1'))
    await sql.raw(`create database packed template ${new URL(postgres.url).pathname.slice(1)}`).execute(admin.write)
    await admin.close()
  } else fs.copyFileSync(path.join(folder, 'rows.db'), path.join(folder, 'packed.db'))
  await pack()
}

async function pack(): Promise<void> {
  const store = openStore(urls.packed)
  const engine = openEngine(store, { threads: 0, cacheBytes: CACHE })
  const began = performance.now()
  const cpu = await cpuOf(async () => {
    while (await engine.packDays({ now: () => now, graceMs: 0, maxRestMs: 0, signal, failed }));
  })
  print(`packing: ${(cpu / 1_000).toFixed(1)} s of CPU, ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  await engine.close()
  print(`packed, before space is given back: ${(await sizeOf(store)).toFixed(1)} MB`)
  if (store.dialect.name === 'sqlite') {
    await sql`pragma auto_vacuum = incremental`.execute(store.write)
    await sql`vacuum`.execute(store.write)
  } else await giveBack(store)
  print(`packed: ${(await sizeOf(store)).toFixed(1)} MB`)
  await store.close()
}

/** As `days_pack` does. A reader of the tables asks meanwhile, and says how long it waited. */
async function giveBack(store: Store): Promise<void> {
  const began = performance.now()
  await sql`vacuum analyze`.execute(store.write) // as autovacuum does
  print(`vacuum: ${((performance.now() - began) / 1_000).toFixed(1)} s, ${(await sizeOf(store)).toFixed(1)} MB`)
  let isOver = false
  const waits: number[] = []
  const reading = (async () => {
    while (!isOver) {
      const asked = performance.now()
      await sql`select 1 from visits where site_id = 1 and day = 0`.execute(store.read)
      waits.push(performance.now() - asked)
    }
  })()
  const { written, busy } = await shrinkTables(store, [...rowTables, 'segment_cols', 'segment_sums'], { minBytes: 1_000_000 }).finally(
    () => {
      isOver = true
      return reading
    },
  )
  print(`rewritten: ${written.join(', ')}; busy: ${busy.join(', ')}; a reader waited ${Math.max(...waits).toFixed(0)} ms at most`)
  const { rows } = await sql<{ name: string; mb: number }>`
    select relname as name, pg_total_relation_size(oid) / 1e6 as mb from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc limit 8`.execute(store.read)
  print(rows.map(({ name, mb }) => `${name} ${Number(mb).toFixed(1)}`).join(' · '))
}

class Undone extends Error {}
/** The event of most hits. */
const EVENT = 1

type Databases = Readonly<Record<keyof typeof urls, Store>>

async function compare(stores: Databases, name: string, run: (store: Store) => Promise<unknown>, rounds = times): Promise<void> {
  const found = { rows: [] as number[], packed: [] as number[] }
  for (let i = 0; i < rounds + 1; i++) {
    for (const whose of i % 2 === 0 ? (['rows', 'packed'] as const) : (['packed', 'rows'] as const)) {
      const took = await cpuOf(() => run(stores[whose]))
      if (i > 0) found[whose].push(took)
    }
  }
  // Other work on the machine only ever adds to the time.
  const [rows, packed] = [Math.min(...found.rows), Math.min(...found.packed)]
  print(`${name.padEnd(46)} ${rows.toFixed(1).padStart(8)} ${packed.toFixed(1).padStart(8)} ${(packed / rows).toFixed(2).padStart(6)}`)
}

/** A report of a process that has answered others, with nothing of its days in memory. */
const cold = (question: Question) => async (store: Store) => {
  const engine = openEngine(store, { threads: 0, cacheBytes: CACHE })
  await askOurs(engine, question)
  await engine.close()
}

try {
  await makeAll()
  const stores = { rows: openStore(urls.rows, { connections: 1 }), packed: openStore(urls.packed, { connections: 1 }) }
  print('ms of CPU, rows and packed, and their ratio')
  for (const question of questions) if (question.name.includes(values.only)) await compare(stores, question.name, cold(question))
  if (values.only === '') {
    const days = Array.from({ length: 20 }, (_, i) => LAST_DAY - 60 + i)
    await compare(stores, 'export of hits, 20 days', async store => {
      for (const day of days) for await (const some of storedVisits(store, { site: SITE, day }, now)) await some.hits()
    })
    await compare(stores, 'daily totals of pages, 20 days', async store => {
      const asked = { visits: ['visit_id', 'hostname'], hits: ['page', 'event'] } as const
      for (const day of days) for await (const some of storedColumns(store, { site: SITE, day }, asked, now)) some.hit('page')
    })
    const undone = (work: (trx: Trx, store: Store) => Promise<unknown>) => (store: Store) =>
      store
        .transaction(async trx => {
          await work(trx, store)
          throw new Undone()
        })
        .catch((error: unknown) => {
          if (!(error instanceof Undone)) throw error
        })
    const [day = 0] = days
    await compare(
      stores,
      'rows of a day brought back',
      undone((trx, store) => rowReturner(store)(trx, { site: SITE, day })),
    )
    await compare(
      stores,
      'an event of a day erased',
      undone(async (trx, store) => {
        const of = { site: SITE, day, event: EVENT }
        await eventEraser(store)(trx, of, { limit: 100_000, from: (await visitWith(store, of, 0)) ?? 0 })
      }),
    )
  }
  await stores.rows.close()
  await stores.packed.close()
} finally {
  await postgres?.stop()
  if (!values.folder) fs.rmSync(folder, { recursive: true, force: true })
}
