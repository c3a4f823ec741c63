/** On Postgres, values remembered between calls and reports are read again exactly when any process has changed them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { prepared } from '../../storage/sql/prepared.ts'
import type { Db, Store } from '../../storage/store.ts'
import { asOfNow } from '../../storage/snapshots/snapshots.ts'
import { versionedTables } from '../../storage/snapshots/versioned-tables.ts'
import { engines } from '../support/engines.ts'
import { statements } from './statements.ts'

describe('versions on postgres', { skip: !engines.some(({ name }) => name === 'postgres') }, () => {
  let store: Store
  let url: string
  let drop: () => Promise<void>
  let other: pg.Client
  before(async () => {
    const created = await engines.find(({ name }) => name === 'postgres')?.create()
    assert.ok(created)
    ;({ url, drop } = created)
    store = created.store
    other = new pg.Client(url)
    await other.connect()
  })
  after(async () => {
    await other.end()
    await drop()
  })

  const workspace = (id: string) => `insert into workspaces (id, name, created_at) values ('${id}', 'Example', 0)`
  const nameOf = prepared('versions.query', (db, id: string) => db.selectFrom('workspaces').select('name').where('id', '=', id))
  const names = async (db: Db, id: string) => (await nameOf(db, id)).map(({ name }) => name)

  test('a call asks once whether anything has changed, and nothing else while nothing has', async () => {
    await other.query(workspace('ws_1'))
    await names(asOfNow(store.read), 'ws_1')
    const { found, asked } = await statements(async () => {
      const call = asOfNow(store.read)
      return [await names(call, 'ws_1'), await names(call, 'ws_1')]
    })
    assert.deepEqual(found, [['Example'], ['Example']])
    assert.equal(asked.length, 1)
    assert.match(asked[0] ?? '', /from changes/)
  })

  test('calls that come while a question is under way share the next', async () => {
    const { asked } = await statements(() => Promise.all(Array.from({ length: 50 }, () => names(asOfNow(store.read), 'ws_1'))))
    assert.ok(asked.length <= 2, `${asked.length} questions`)
  })

  test('a change is seen by every call that begins after its commit, whoever made it, and by none before', async () => {
    await other.query(workspace('ws_2'))
    for (let i = 0; i < 20; i++) {
      await other.query('begin')
      await other.query('update workspaces set name = $1 where id = $2', [`name ${i}`, 'ws_2'])
      assert.deepEqual(await names(asOfNow(store.read), 'ws_2'), [i === 0 ? 'Example' : `name ${i - 1}`])
      await other.query('commit')
      assert.deepEqual(await names(asOfNow(store.read), 'ws_2'), [`name ${i}`])
    }
    await other.query("delete from workspaces where id = 'ws_2'")
    assert.deepEqual(await names(asOfNow(store.read), 'ws_2'), [])
  })

  test('transactions that are committed in another order than they were begun are each seen', async () => {
    const third = new pg.Client(url)
    await third.connect()
    for (const id of ['ws_3', 'ws_4']) await other.query(workspace(id))
    await other.query('begin')
    await third.query('begin')
    await other.query("update workspaces set name = 'early' where id = 'ws_3'")
    await third.query("update workspaces set name = 'late' where id = 'ws_4'")
    const seen = async () => [...(await names(asOfNow(store.read), 'ws_3')), ...(await names(asOfNow(store.read), 'ws_4'))]
    assert.deepEqual(await seen(), ['Example', 'Example'])
    await third.query('commit')
    assert.deepEqual(await seen(), ['Example', 'late'])
    await other.query('commit')
    assert.deepEqual(await seen(), ['early', 'late'])
    await third.end()
  })

  test('hundreds of changes leave a hundred or two of rows, and each is seen', async () => {
    await other.query(workspace('ws_5'))
    for (let i = 0; i < 450; i++) {
      await other.query('update workspaces set name = $1 where id = $2', [`${i}`, 'ws_5'])
      if (i % 50 === 0 || i % 100 > 97) assert.deepEqual(await names(asOfNow(store.read), 'ws_5'), [`${i}`])
    }
    const { rows } = await other.query('select count(*)::int as rows from changes')
    assert.ok(rows[0].rows <= 210, `${rows[0].rows} rows`)
  })

  test('a lock, the same value or no row does not change the version', async () => {
    await names(asOfNow(store.read), 'ws_1')
    await other.query("update workspaces set name = name where id = 'ws_1'")
    await other.query("update workspaces set name = 'x' where id = 'nobody'")
    await other.query("delete from workspaces where id = 'nobody'")
    assert.equal((await statements(() => names(asOfNow(store.read), 'ws_1'))).asked.length, 1)
  })

  test('that a token was used is no change; that it is revoked, or its owner, is', async () => {
    await other.query(`insert into accounts (id, email, theme, default_landing, locale, shortcuts_enabled, reduce_motion, product_emails, newsletter, marketing_emails, two_factor, passkeys, created_at)
       values ('ac_1', 'a@example.com', '', '', '', 0, 0, 0, 0, 0, 0, 0, 0)`)
    await other.query(
      `insert into members (id, workspace_id, account_id, role, active, created_at) values ('mb_1', 'ws_1', 'ac_1', 'owner', 1, 0)`,
    )
    await other.query(
      `insert into api_tokens (id, workspace_id, member_id, name, hash, token_prefix, permissions, site_ids, allowed_ips, created_at)
       values ('tk_1', 'ws_1', 'mb_1', 'Test', 'hash', 'pat_', '[]', '[]', '[]', 0)`,
    )
    const question = async () => (await other.query("select concat(min(id), ' ', max(id), ' ', count(*)) as v from changes")).rows[0].v
    const before = await question()
    await other.query(`update api_tokens set last_used_at = 5 where id = 'tk_1'`)
    assert.equal(await question(), before)
    await other.query(`update api_tokens set last_used_at = 6, revoked_at = 6 where id = 'tk_1'`)
    const revoked = await question()
    assert.notEqual(revoked, before)
    await other.query(`update members set active = 0 where id = 'mb_1'`)
    assert.notEqual(await question(), revoked)
  })

  test('every table that is answered from memory tells of its changes', async () => {
    const { rows } = await other.query<{ name: string; events: number }>(
      `select relname as name, count(*)::int as events from pg_trigger join pg_class on pg_class.oid = tgrelid
       where tgfoid = 'note_change'::regproc group by 1 having count(*) = 4 order by 1`,
    )
    assert.deepEqual(
      rows.map(({ name }) => name),
      [...versionedTables].sort(),
    )
  })

  test('a query over another table is asked each time, and shows what has just been committed', async () => {
    const countOf = prepared('versions.query-2', (db, site: number) => db.selectFrom('drops').select('count').where('site_id', '=', site))
    for (let count = 1; count < 4; count++) {
      await other.query(`insert into drops values (77, 1, 'bot', 1) on conflict (site_id, day, reason) do update set count = ${count}`)
      assert.deepEqual(
        (await countOf(asOfNow(store.read), 77)).map(row => row.count),
        [count],
      )
    }
  })
})
