/** Behind a transaction pooler: nothing may be left on a connection that a later transaction relies on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEngine } from '../../storage/engine/index.ts'
import { openHitStore } from '../../storage/hits/hit-store.ts'
import { migrate } from '../../storage/migrations/migrate.ts'
import { prepared } from '../../storage/sql/prepared.ts'
import { openStore } from '../../storage/store.ts'
import { asOfNow } from '../../storage/snapshots/snapshots.ts'
import { randomBytes } from '../support/chance.ts'
import { engines } from '../support/engines.ts'
import { startTransactionPooler } from '../support/transaction-pooler.ts'
import { hit, HOUR, MIDNIGHT } from './new-hits.ts'

const postgres = engines.find(({ name }) => name === 'postgres')
const nameOf = prepared('pooler.query', (db, id: string) => db.selectFrom('workspaces').select('name').where('id', '=', id))

test('hits, calls and reports do behind a transaction pooler', { skip: !postgres }, async () => {
  assert.ok(postgres)
  const created = await postgres.create()
  const pooler = await startTransactionPooler(created.url, 3)
  const store = openStore(`${pooler.url}?pgbouncer=true`, { connections: 8 })
  assert.deepEqual(await migrate(store), [])
  const hits = openHitStore(store, { now: () => MIDNIGHT + 20 * HOUR, randomBytes })
  const engine = openEngine(store, { threads: 2 })
  const span = { fromDay: 20777, toDay: 20777, from: MIDNIGHT, to: MIDNIGHT + 24 * HOUR, whole: true }
  const asked = { report: 'totals', series: [[span]] } as const
  for (let round = 0; round < 10; round++) {
    await store.write
      .insertInto('workspaces')
      .values({ id: `ws_${round}`, name: 'Example', created_at: 0 })
      .execute()
    const sent = Array.from({ length: 20 }, (_, i) =>
      hits.append([hit({ site: 1 + (i % 5), visitor: `v${i} ${round}`, at: MIDNIGHT + HOUR, page: `/${i}` })]),
    )
    const reports = [1, 2, 3].map(site => engine.query({ site, where: [], goals: [], asked }))
    const names = Array.from({ length: 10 }, () => nameOf(asOfNow(store.read), `ws_${round}`))
    assert.ok((await Promise.all(sent)).flat().every(outcome => outcome.stored))
    assert.equal((await Promise.all(reports)).length, 3)
    for (const [row] of await Promise.all(names)) assert.equal(row?.name, 'Example')
  }
  const { report, ...found } = await engine.query({ site: 1, where: [], goals: [], asked })
  assert.match(JSON.stringify(found), /"visitors":40/)
  assert.equal(report, 'totals')
  assert.equal(pooler.max, 3)
  await engine.close()
  await hits.close()
  await store.close()
  await pooler.stop()
  await created.drop()
})
