/** Settings of ClickHouse, and a start without them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterOf, readConfig } from '../../../runtime/settings/config.ts'
import { checkMoved } from '../../../storage/moved-days/copies.ts'
import { clusterOf as connected } from '../../../storage/moved-days/cluster-days.ts'
import { onEachEngine } from '../../support/engines.ts'

const url = 'https://clickhouse.example.com:8443'

test('without CLICKHOUSE_URL there is no cluster; with it, the others say how to reach it', () => {
  assert.equal(clusterOf(readConfig({})), undefined)
  const config = readConfig({
    DATABASE_URL: 'postgres://db/footfall',
    CLICKHOUSE_URL: url,
    CLICKHOUSE_USER: 'footfall',
    CLICKHOUSE_PASSWORD: 'geheim',
    CLICKHOUSE_DATABASE: 'analytics',
    CLICKHOUSE_CLUSTER: 'main',
  })
  assert.deepEqual(clusterOf(config), { url, user: 'footfall', password: 'geheim', database: 'analytics', cluster: 'main' })
})

test('SQLite and ClickHouse do not go together; what stands in SQL is checked; all faults at once, no password in them', () => {
  assert.throws(() => readConfig({ CLICKHOUSE_URL: url }), /CLICKHOUSE_URL needs DATABASE_URL to be "postgres:\/\/…"/)
  const bad = {
    CLICKHOUSE_URL: 'https://user:geheim@db',
    CLICKHOUSE_DATABASE: 'a; drop table x',
    CLICKHOUSE_CLUSTER: "x' on",
    CLICKHOUSE_GRACE_DAYS: '1',
  }
  assert.throws(
    () => readConfig(bad),
    ({ message }: Error) => Object.keys(bad).every(name => message.includes(name)) && !message.includes('geheim'),
  )
})

onEachEngine('a database whose days are in ClickHouse', engine => {
  test('stops a start without it, and says how to go on', async () => {
    const { store, drop } = await engine.create()
    const alone = { ...store, cluster: undefined }
    await checkMoved(alone)
    const copy = { site_id: 1, day: 1, copy: 5, keep_until: 0, emptied: 0, visits: 1, hits: 1, first_at: 0, last_at: 0, ended_at: 0 }
    await store.write
      .insertInto('clickhouse_copies')
      .values({ ...copy, drop_at: 0 })
      .execute()
    await checkMoved(alone) // nothing counts on it
    await store.write.updateTable('clickhouse_copies').set({ drop_at: null }).execute()
    await assert.rejects(checkMoved(alone), /set CLICKHOUSE_URL, or move them back with `npm run clickhouse -- leave`/)
    assert.throws(() => connected(undefined), /CLICKHOUSE_URL is not set/)
    await drop()
  })
})
