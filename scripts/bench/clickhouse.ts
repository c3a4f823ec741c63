/**
 * `npm run bench -- clickhouse [--hits 10000000]`: filtered reports over a year of one site whose sealed days are in
 * ClickHouse, against DuckDB over the same data in the same run: counted by ClickHouse, and from columns that have been
 * fetched and are in memory.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { ClusterSettings } from '../../storage/cluster/cluster.ts'
import { clusterDays } from '../../storage/engine/index.ts'
import { openStore } from '../../storage/store.ts'
import { startOwnClickhouse, withoutClickhouse } from '../../tests/support/clickhouse.ts'
import { startPostgres } from '../../tests/support/postgres.ts'
import { compare } from './reports/compare.ts'
import { makeDuck, makeOurs } from './reports/make.ts'
import { remoteQuestions } from './reports/remote-questions.ts'

const { values } = parseArgs({ allowPositionals: true, options: { hits: { type: 'string', default: '10000000' } } })
const hits = Number(values.hits)
const print = (line: string) => process.stdout.write(`${line}\n`)
const ms = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0)).padStart(8)

const reason = withoutClickhouse()
if (reason) throw new Error(`this benchmark ${reason}`)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-clickhouse-'))
const duckFile = path.join(folder, 'duck.db')
const clickhouse = await startOwnClickhouse({ cacheBytes: 4_000_000_000 })
const postgres = await startPostgres({ durable: true })
try {
  const database = 'bench'
  await ask(`create database ${database}`)
  const cluster = { url: clickhouse.url, user: 'default', password: '', database, cluster: '' }
  const made = await makeOurs(postgres.url, { hits, size: async () => 0, cluster })
  print(JSON.stringify({ clickhouse: { ...made, mb: await sizeOf(database) }, duckMb: await makeDuck(duckFile, hits) }))
  const parts = await partsOf(database)
  await merge(cluster)
  print(`parts: ${parts} as filled, ${await partsOf(database)} merged`)
  for (const [how, maxFetched] of [
    ['counted there', 0],
    ['fetched', Infinity],
  ] as const) {
    const effort = { times: 20, seconds: 10, cacheMb: 1_000 }
    for await (const { name, bar, ours, duck, ratio } of compare(
      postgres.url,
      { duckFile, effort },
      {
        questions: remoteQuestions,
        cluster,
        maxFetched,
      },
    )) {
      print(`${how}: ${name.padEnd(36)} ${ms(ours)} ms · DuckDB ${ms(duck)} ms · ${ratio.toFixed(2)}${ratio > bar ? ` MISSED ${bar}` : ''}`)
    }
  }
} finally {
  await postgres.stop()
  await clickhouse.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}

/** Merges the parts of the tables, like `npm run clickhouse -- fill` at its end. */
async function merge(cluster: ClusterSettings): Promise<void> {
  const store = openStore(postgres.url, { cluster })
  const { mergeCluster } = await clusterDays()
  const advice = await mergeCluster(store, { now: Date.now, signal: new AbortController().signal, progress() {} })
  await store.close()
  if (advice !== null) throw new Error(advice)
}

async function ask(body: string): Promise<string> {
  const answer = await fetch(clickhouse.url, { method: 'POST', body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

async function sizeOf(database: string): Promise<number> {
  return Number(await ask(`select sum(bytes) from system.parts where active and database = '${database}'`)) / 1e6
}

async function partsOf(database: string): Promise<number> {
  return Number(await ask(`select count() from system.parts where active and database = '${database}' and table = 'footfall_visits'`))
}
