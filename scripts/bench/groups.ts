/**
 * `npm run bench -- groups [--hits 2000000] [--sites 100] [--folder DIR] [--only TEXT] [--packed]`: reports over a year of a group of many sites,
 * as one question, against DuckDB over the same data in the same run, where all of them are one table of one site. With a folder the data is
 * made once and kept there. `--only`: the reports whose names match this regular expression. `--packed` packs the days as the service does:
 * days of small sites have too few visitors to be sealed. It pauses after each day, so that 36,500 days take half an hour.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openEngine } from '../../storage/engine/index.ts'
import { openStore } from '../../storage/store.ts'
import { migrate } from '../../storage/migrations/migrate.ts'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { creationServices } from '../machine.ts'
import { compare } from './reports/compare.ts'
import { LAST_DAY, type DayOfTraffic, traffic, ZONE } from './reports/dataset.ts'
import { duckLoader } from './reports/duck.ts'
import { loader, loadTexts } from './reports/load-ours.ts'
import { questions } from './reports/questions.ts'
import { DAY_MS } from '../../storage/values/durations.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    hits: { type: 'string', default: '2000000' },
    sites: { type: 'string', default: '100' },
    folder: { type: 'string' },
    only: { type: 'string', default: '' },
    packed: { type: 'boolean', default: false },
  },
})
const count = Number(values.sites)
const hits = Number(values.hits) / count
const folder = values.folder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-groups-'))
fs.mkdirSync(folder, { recursive: true })
const [url, duckFile] = [`file:${path.join(folder, 'ours.db')}`, path.join(folder, 'duck.db')]
const print = (line: string) => process.stdout.write(`${line}\n`)
const ms = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0)).padStart(8)

/** More than the people of a site. */
const MAX_PEOPLE = 10_000_000

/** The default of `PACK_AFTER_DAYS`. */
const PACKED_AFTER_MS = 2 * DAY_MS

/** The share of DuckDB's time that a group may take. */
const GROUP = 0.3
/** In DuckDB, visits of several sites have the same ids, so these join nothing by them. People of different sites are different. */
const names = [
  'aggregate, 30 d',
  'aggregate, 12 mo, twice',
  'people, 12 mo',
  'people by country, 12 mo',
  'retention by week, 12 mo',
  'series by day, 30 d',
  'series by month, 12 mo',
  'pages, 30 d',
  'pages, 12 mo',
  'countries, 12 mo',
  'pages where country and browser, 30 d',
  'pages where country and browser, 12 mo',
  'pages where channel, 12 mo',
  'overview with 11 panels, 30 d',
  'overview with 11 panels, 12 mo',
  'table by country and device, 12 mo',
  'table by page and country, 12 mo',
]

try {
  const members = fs.existsSync(duckFile) ? await made() : await make()
  const only = new RegExp(values.only)
  const some = questions.filter(({ name }) => names.includes(name) && only.test(name))
  const sites = { site: 0, members }
  for await (const { name, ours, duck, ratio, cpu } of compare(
    url,
    { duckFile, effort: { times: 20, seconds: 5, cacheMb: 200 } },
    { questions: some, sites },
  ))
    print(
      `${name.padEnd(46)} ${ms(ours)} ms · DuckDB ${ms(duck)} ms · ${ratio.toFixed(3)} · CPU ${ms(cpu.ours)} and ${ms(cpu.duck)} ms, ${(cpu.ours / cpu.duck).toFixed(3)}${ratio > GROUP ? ` MISSED ${GROUP}` : ''}`,
    )
} finally {
  if (values.folder === undefined) fs.rmSync(folder, { recursive: true, force: true })
}

async function made() {
  const store = openStore(url, { readonly: true, connections: 1 })
  const sites = await store.read.selectFrom('sites').select(['number', 'id']).orderBy('number').execute()
  await store.close()
  return sites.map(({ number: site, id }) => ({ site, id, zone: ZONE }))
}

async function make() {
  const store = openStore(url)
  await migrate(store)
  const duck = duckLoader(folder)
  const sites: { site: number; id: string; zone: string; put(day: DayOfTraffic): Promise<void>; days: Iterator<DayOfTraffic> }[] = []
  for (let i = 0; i < count; i++) {
    const request = { email: 'bench@example.com', workspace: 'Bench', site: `site-${i}.example.com`, timezone: ZONE }
    const { site_id: id } = await setUp(store, request, await creationServices())
    const { number: site } = await store.read.selectFrom('sites').select('number').where('id', '=', id).executeTakeFirstOrThrow()
    await loadTexts(store, site)
    sites.push({ site, id, zone: ZONE, put: loader(store, site), days: traffic({ hits, seed: i + 1 }) })
  }
  let lastEnds = 0
  for (let isMore = true; isMore; ) {
    isMore = false
    for (const [i, { put, days }] of sites.entries()) {
      const { value: day, done } = days.next()
      if (done) continue
      await put(day)
      duck.add({
        ...day,
        visits: day.visits.map(visit => (visit.person > 0 ? { ...visit, person: visit.person + i * MAX_PEOPLE } : visit)),
      })
      isMore = true
      if (day.day === LAST_DAY) lastEnds = day.endsAt
    }
  }
  await duck.finish(duckFile)
  const engine = openEngine(store)
  const failed = (_: unknown, error: unknown) => {
    throw error
  }
  const { signal } = new AbortController()
  while (await engine.sealDays({ now: () => lastEnds, signal, failed }));
  if (values.packed) while (await engine.packDays({ now: () => lastEnds, graceMs: PACKED_AFTER_MS, maxRestMs: 0, signal, failed }));
  await engine.close()
  await store.close()
  return sites.map(({ site, id, zone }) => ({ site, id, zone }))
}
