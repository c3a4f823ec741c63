/** A failover to a standby that lost its last commits, and gives their ids and revisions again. */
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
import { startOwnPostgres } from '../support/postgres.ts'
import { hit, HOUR, MIDNIGHT, MINUTE } from './new-hits.ts'

const withoutPostgres = !engines.some(({ name }) => name === 'postgres')

test('after a failover nothing is taken from memory that the new server does not know', {
  skip: withoutPostgres,
}, async () => {
  const server = await startOwnPostgres()
  const open = () => openStore(server.url)
  const first = open()
  await migrate(first)
  await first.close()
  await server.halt()
  server.keep()
  await server.resume()

  const store = open()
  const hits = openHitStore(store, { now: () => MIDNIGHT + 20 * HOUR, randomBytes })
  const engine = openEngine(store, { threads: 1 })
  let minute = 0
  const send = async (...pages: string[]) => {
    for (const page of pages) {
      const [outcome] = await hits.append([hit({ site: 1, visitor: page, at: MIDNIGHT + HOUR + minute++ * MINUTE, page })])
      assert.ok(outcome?.stored)
    }
  }
  const span = { fromDay: 20777, toDay: 20777, from: MIDNIGHT, to: MIDNIGHT + 24 * HOUR, whole: true }
  const asked = { report: 'breakdown', dimension: 'page', span, compared: null, sort: 'visitors', offset: 0, limit: 10 } as const
  const pages = async () => (await engine.query({ site: 1, where: [], goals: [], asked })).rows.map(({ value }) => value).sort()
  const nameOf = prepared('failover.query', (db, id: string) => db.selectFrom('workspaces').select('name').where('id', '=', id))
  const named = (name: string) => store.write.insertInto('workspaces').values({ id: 'ws_1', name, created_at: 0 }).execute()

  await named('lost')
  assert.equal((await nameOf(asOfNow(store.read), 'ws_1'))[0]?.name, 'lost')
  await send('/a', '/b', '/c')
  assert.deepEqual(await pages(), ['/a', '/b', '/c'])

  await server.halt('crash')
  server.rewind()
  await server.resume()

  for (
    let tries = 0;
    tries < 20 &&
    (await named('kept').then(
      () => false,
      () => true,
    ));
    tries++
  );
  assert.equal((await nameOf(asOfNow(store.read), 'ws_1'))[0]?.name, 'kept')
  await send('/d', '/c', '/b')
  for (
    let tries = 0;
    tries < 20 &&
    (await pages().then(
      () => false,
      () => true,
    ));
    tries++
  );
  assert.deepEqual(await pages(), ['/b', '/c', '/d'])
  const texts = await store.read
    .selectFrom('dict')
    .select('value')
    .where('dim', '=', 1)
    .where('value', 'like', '/%')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    texts.map(({ value }) => value),
    ['/d', '/c', '/b'],
  )

  await engine.close()
  await hits.close()
  await store.close()
  await server.stop()
})
