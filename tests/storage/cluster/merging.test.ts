/** `npm run clickhouse -- fill` ends by merging what it has written: on one server, and on each shard of a cluster. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import { clusterDays, openEngine } from '../../../storage/engine/index.ts'
import { openStore, type Store } from '../../../storage/store.ts'
import { withoutClickhouse } from '../../support/clickhouse.ts'
import { databaseOn, type Engine, onPostgres, postgresAndClickhouse, sharedShards } from '../../support/engines.ts'
import { withoutZookeeper } from '../../support/zookeeper.ts'
import { addSite, hit, store as keep } from '../engine/traffic.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import { withBody } from '../../support/with-body.ts'

let work: Awaited<ReturnType<typeof clusterDays>>
before(async () => {
  work = await clusterDays()
})

const first = Date.parse('2026-05-05') / DAY_MS
const days = 8
const now = (first + 30) * DAY_MS

/** The context of a run, and the progress that it shows. */
function working() {
  const shown: string[] = []
  const progress = (done: number, total: number) => void shown.push(`${done} of ${total}`)
  return { shown, now: () => now, signal: new AbortController().signal, progress }
}

/** An installation whose days are sealed in Postgres. */
async function installed(engine: Engine) {
  const { store, url, drop } = await engine.create()
  for (const zone of ['UTC', 'Europe/Berlin']) {
    const site = await addSite(store, zone)
    const sent = Array.from({ length: days * 12 }, (_, i) => hit(site, { at: first * DAY_MS + i * 2 * 3_600_000, who: `10.0.0.${i % 7}` }))
    await keep(store, sent)
  }
  const analytics = openEngine({ ...store, cluster: undefined }, { threads: 0 })
  const failed = (_: unknown, error: unknown) => assert.fail(String(error))
  await analytics.sealDays({ now: () => now, signal: new AbortController().signal, minVisitors: 0, failed })
  await analytics.close()
  return { store, url, drop }
}

async function asked(url: string, query: string): Promise<string[]> {
  const answer = await fetch(url, { method: 'POST', body: query })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  return text.split('\n').filter(Boolean)
}
const partsOf = (url: string, { cluster }: Store) =>
  asked(
    url,
    `select name from system.parts where active and database = '${cluster?.settings.database}' and table like 'footfall_visits%' order by name`,
  )
const isWhole = async (store: Store) => {
  const { days: seen, different } = await work.checkCluster(store, 100, working())
  assert.deepEqual([seen > days, different], [true, []])
}

test('on one server each month is merged into a part, and nothing is written again', { skip: withoutClickhouse() }, async () => {
  const { store, drop } = await installed(postgresAndClickhouse)
  const { url } = store.cluster?.settings ?? { url: '' }
  await work.fillCluster(store, working())
  const filled = await partsOf(url, store)
  const seen = working()
  assert.equal(await work.mergeCluster(store, seen), null)
  const merged = await partsOf(url, store)
  assert.ok(filled.length > merged.length, `${filled.length} parts, then ${merged.length}`)
  assert.deepEqual(
    merged.map(name => name.split('_')[0]),
    [...new Set(filled.map(name => name.split('_')[0]))],
  )
  const [, done = '', total] = /^(\d+) of (\d+)$/.exec(seen.shown.at(-1) ?? '') ?? []
  assert.equal(done, total)
  assert.ok(Number(done) >= merged.length, 'a month that the server merges by itself meanwhile is asked for again')
  await isWhole(store)
  const again = working()
  assert.equal(await work.mergeCluster(store, again), null)
  assert.deepEqual([await partsOf(url, store), again.shown], [merged, []])
  await drop()
})

test('before anything is copied there is nothing to merge', { skip: withoutClickhouse() }, async () => {
  const { store, drop } = await postgresAndClickhouse.create()
  assert.equal(await work.mergeCluster(store, working()), null)
  await drop()
})

test('if the user may not merge, an error names the statement for an administrator', { skip: withoutClickhouse() }, async t => {
  const { store, url, drop } = await installed(postgresAndClickhouse)
  const settings = store.cluster?.settings ?? assert.fail()
  // As servers do whose users have grants.
  const denied =
    "Code: 497. DB::Exception: footfall: Not enough privileges. To execute this query, it's necessary to have the grant OPTIMIZE"
  const strict = http.createServer(
    withBody(async (request, response, body) => {
      if (body.includes('optimize table')) return void response.writeHead(403).end(denied)
      const { method, headers } = request
      const answer = await fetch(new URL(request.url ?? '', settings.url), {
        method,
        headers: { authorization: headers.authorization ?? '' },
        body,
      })
      response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
    }),
  )
  t.after(() => strict.close())
  await new Promise<void>(listening => strict.listen(0, '127.0.0.1', listening))
  const { port } = strict.address() as AddressInfo // it listens to a port
  const limited = openStore(url, { cluster: { ...settings, url: `http://127.0.0.1:${port}` } })
  assert.ok((await work.fillCluster(limited, working())) > days)
  const advice = (await work.mergeCluster(limited, working())) ?? ''
  assert.match(advice, /administrator runs `optimize table footfall_visits final`: .*Not enough privileges/)
  assert.ok(!advice.includes('\n'))
  await isWhole(limited)
  await limited.close()
  await drop()
})

describe('two shards', { skip: withoutClickhouse() || withoutZookeeper() }, () => {
  let cluster: Awaited<ReturnType<typeof sharedShards>>
  before(async () => {
    cluster = await sharedShards(2)
  })

  test('each merges its own', async () => {
    const { store, drop } = await installed(onPostgres(name => databaseOn(cluster, name)))
    await work.fillCluster(store, working())
    const parts = () => Promise.all(cluster.nodes.map(({ url }) => partsOf(url, store)))
    const filled = await parts()
    assert.equal(await work.mergeCluster(store, working()), null)
    const merged = await parts()
    for (const [i, names] of merged.entries()) {
      assert.ok((filled[i]?.length ?? 0) > names.length, `${filled[i]?.length} parts, then ${names.length}`)
      assert.equal(new Set(names.map(name => name.split('_')[0])).size, names.length, names.join())
    }
    await isWhole(store)
    await cluster.nodes[1]?.kill()
    const advice = (await work.mergeCluster(store, working())) ?? ''
    assert.match(
      advice,
      new RegExp(`\`optimize table ${store.cluster?.settings.database}.footfall_visits_local on cluster footfall final\``),
    )
    await cluster.nodes[1]?.resume()
    await drop()
  })
})
