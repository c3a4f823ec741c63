/** Loads the dataset into both databases. */
import fs from 'node:fs'
import path from 'node:path'
import type { ClusterSettings } from '../../../storage/cluster/cluster.ts'
import { openEngine } from '../../../storage/engine/index.ts'
import { setUp } from '../../../operations/service/setup/set-up.ts'
import { migrate } from '../../../storage/migrations/migrate.ts'
import { openStore } from '../../../storage/store.ts'
import { creationServices } from '../../machine.ts'
import { LAST_DAY, traffic, ZONE } from './dataset.ts'
import { duckLoader } from './duck.ts'
import { loader, loadTexts } from './load-ours.ts'

export interface LoadedDatabase {
  readonly hits: number
  readonly visits: number
  /** Seconds. */
  readonly load: number
  readonly seal: number
  readonly mb: { readonly rows: number; readonly all: number }
}

/** @param size measures the database in MB: before and after sealing @param cluster for sealed days */
export async function makeOurs(
  url: string,
  { hits, size, cluster }: { hits: number; size: () => Promise<number>; cluster?: ClusterSettings | undefined },
): Promise<LoadedDatabase> {
  const store = openStore(url, { cluster })
  await migrate(store)
  const setUpRequest = { email: 'bench@example.com', workspace: 'Bench', site: 'bench.example.com', timezone: ZONE }
  const { site_id } = await setUp(store, setUpRequest, await creationServices())
  const { number } = await store.read.selectFrom('sites').select('number').where('id', '=', site_id).executeTakeFirstOrThrow()
  await loadTexts(store, number)
  const put = loader(store, number)
  const counted = { hits: 0, visits: 0 }
  let began = performance.now()
  let lastEnds = 0
  for (const day of traffic({ hits })) {
    await put(day)
    for (const visit of day.visits) counted.hits += visit.hits.length
    counted.visits += day.visits.length
    if (day.day === LAST_DAY) lastEnds = day.endsAt
  }
  const load = (performance.now() - began) / 1_000
  const rows = await size()

  began = performance.now()
  const engine = openEngine(store)
  const failed = (_: unknown, error: unknown) => {
    throw error
  }
  const [now, { signal }] = [() => lastEnds, new AbortController()] // the last day is still open
  while (await engine.sealDays({ now, signal, failed }));
  await engine.close()
  const seal = (performance.now() - began) / 1_000
  await store.close()
  return { ...counted, load, seal, mb: { rows, all: await size() } }
}

/** Adds eight small sites. @returns their ids */
export async function addSmallSites(url: string): Promise<string[]> {
  const store = openStore(url)
  const ids: string[] = []
  for (let i = 0; i < 8; i++) {
    const setUpRequest = { email: 'bench@example.com', workspace: 'Bench', site: `small-${i}.example.com`, timezone: ZONE }
    const { site_id } = await setUp(store, setUpRequest, await creationServices())
    ids.push(site_id)
    const { number } = await store.read.selectFrom('sites').select('number').where('id', '=', site_id).executeTakeFirstOrThrow()
    const has = await store.read.selectFrom('site_days').select('day').where('site_id', '=', number).limit(1).executeTakeFirst()
    if (has) continue
    await loadTexts(store, number)
    const put = loader(store, number)
    for (const day of traffic({ hits: 20_000, seed: i + 1 })) await put(day)
  }
  await store.close()
  return ids
}

export async function makeDuck(file: string, hits: number): Promise<number> {
  const folder = path.dirname(file)
  const into = duckLoader(folder)
  for (const day of traffic({ hits })) into.add(day)
  await into.finish(file)
  return fs.statSync(file).size / 1e6
}
