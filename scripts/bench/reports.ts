/**
 * `npm run bench -- reports [--hits 10000000] [--folder DIR] [--postgres] [--only TEXT] [--seconds 5]`: every report over a year of one
 * site, ours against DuckDB over the same data in the same run. With a folder the data is made once and kept there. `--only`: the
 * reports whose names match this regular expression, and nothing else.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { startPostgres } from '../../tests/support/postgres.ts'
import { openStore } from '../../storage/store.ts'
import { compare } from './reports/compare.ts'
import { addSmallSites, makeDuck, makeOurs } from './reports/make.ts'
import { questions } from './reports/questions.ts'
import { measureServed } from './reports/served.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    hits: { type: 'string', default: '10000000' },
    folder: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    only: { type: 'string' },
    seconds: { type: 'string', default: '5' },
  },
})
const hits = Number(values.hits)
const folder = values.folder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-reports-'))
fs.mkdirSync(folder, { recursive: true })
const file = path.join(folder, 'ours.db')
const duckFile = path.join(folder, 'duck.db')
const effort = { times: 50, seconds: Number(values.seconds), cacheMb: 200 }
const only = new RegExp(values.only ?? '')
const asked = questions.filter(({ name }) => only.test(name))
const print = (line: string) => process.stdout.write(`${line}\n`)
const ms = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0)).padStart(8)

if (!fs.existsSync(duckFile)) {
  for (const rest of ['', '-wal', '-shm']) fs.rmSync(file + rest, { force: true })
  const made = await makeOurs(`file:${file}`, { hits, size: () => sizeOfFile(file) })
  print(JSON.stringify({ sqlite: made, perMillion: made.mb.all / (made.hits / 1e6), duckMb: await makeDuck(duckFile, hits) }))
}
await table(`file:${file}`, 1)
if (values.only === undefined) {
  print(`cold, ms: ours ${cold('ours', `file:${file}`)} · DuckDB ${cold('duck', duckFile)}`)
  print(JSON.stringify(await measureServed(`file:${file}`, await addSmallSites(`file:${file}`))))
}

if (values.postgres) {
  const postgres = await startPostgres({ durable: true })
  try {
    const made = await makeOurs(postgres.url, { hits, size: () => sizeOfPostgres(postgres.url) })
    print(JSON.stringify({ postgres: made }))
    await table(postgres.url, 2)
  } finally {
    await postgres.stop()
  }
}
if (!values.folder) fs.rmSync(folder, { recursive: true, force: true })

/** @param wide factor for the width of bars */
async function table(url: string, wide: number): Promise<void> {
  for await (const { name, bar, ours, duck, ratio, cpu, inARow } of compare(url, { duckFile, effort }, { questions: asked })) {
    const row = inARow === null ? '' : ` · in a row ${inARow.toFixed(3)}`
    const cpus = ` · CPU ${ms(cpu.ours).trim()} / ${ms(cpu.duck).trim()} ms, ${(cpu.ours / cpu.duck).toFixed(3)}`
    print(
      `${name.padEnd(46)} ${ms(ours)} ms · DuckDB ${ms(duck)} ms · ${ratio.toFixed(3)}${ratio > bar * wide ? ` MISSED ${bar * wide}` : ''}${row}${cpus}`,
    )
  }
}

/** Each in a new process; the median of five, and the least CPU time. */
function cold(whose: 'ours' | 'duck', where: string): string {
  const times = Array.from({ length: 5 }, () =>
    execFileSync(process.execPath, ['dist/bench/reports/cold.js', whose, where], { encoding: 'utf8' }).split(' ').map(Number),
  )
  const [ms, cpu] = [0, 1].map(i => times.map(time => time[i] ?? 0).toSorted((a, b) => a - b))
  return `${ms?.[2]?.toFixed(0)} (CPU ${cpu?.[0]?.toFixed(0)})`
}

async function sizeOfFile(name: string): Promise<number> {
  const store = openStore(`file:${name}`)
  await sql`pragma wal_checkpoint(truncate)`.execute(store.write)
  await store.close()
  return fs.statSync(name).size / 1e6
}

async function sizeOfPostgres(url: string): Promise<number> {
  const store = openStore(url)
  const {
    rows: [size],
  } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(store.read)
  await store.close()
  return Number(size?.bytes ?? 0) / 1e6
}
