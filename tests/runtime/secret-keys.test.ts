/** Keys of sealed secrets: introducing and replacing `SECRET_KEY` loses nothing, and nothing that is sealed is forgotten. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createWeb } from '../../adapters/http/http.ts'
import { mounts } from '../../adapters/index.ts'
import { signedLink } from '../../operations/exchange/files/links.ts'
import { createApp } from '../../runtime/create-app.ts'
import { checkSealed, lostSecrets } from '../../runtime/settings/check-sealed.ts'
import { openLog } from '../../runtime/observability/log.ts'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { countByKey, emptyValues, type OwnedColumn, sealAgain, sealedColumns, valuesUnder } from '../../runtime/settings/sealed-columns.ts'
import { secretBox } from '../../runtime/settings/secret-box.ts'
import { keysHere, keysIn } from '../../runtime/settings/secret-keys.ts'
import { randomBytes } from '../support/chance.ts'
import { onAnyEngine } from '../support/engines.ts'
import { codeOf } from '../support/replies.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

const [first, second, third] = ['first-'.repeat(6), 'second-'.repeat(6), 'third-'.repeat(6)]

onAnyEngine('keys of secrets', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const created = { token: world.token, body: { name: 'CI' }, headers: { 'Idempotency-Key': 'before' } }
    assert.equal((await request(service, 'POST', `/workspaces/${world.ids.workspace}/api_tokens`, created)).status, 201)
    const mail = { id: 'mail_1', recipient: 'a@example.com', sealed: '', attempt: 0, due_at: 0, leased_until: null, created_at: 0 }
    await service.store.write.insertInto('mails').values(mail).execute()
    await service.store.write.insertInto('kept_forms').values({ id: 'form', account_id: 'acc_1', sealed: '', created_at: 0 }).execute()
    await fillAll(service)
  })
  after(() => service.close())

  const columns = () => sealedColumns(service.app.table)

  /** The same service with another `SECRET_KEY`, on the same database. */
  function withKey(SECRET_KEY: string): TestService {
    const { store, clock } = service
    const config = { ...service.app.config, SECRET_KEY }
    const app = createApp({ store, table: service.app.table, now: () => clock.now, random: randomBytes, log: openLog('silent'), config })
    return { ...service, app, web: createWeb(app, mounts) }
  }
  const surroundings = (SECRET_KEY: string) => ({ store: service.store, config: { SECRET_KEY }, random: randomBytes })
  const idsOf = async (secretKey: string) => (await keysHere(service.store, secretKey, randomBytes)).map(({ id }) => id)
  /** As a process that starts does, without waiting for the next hour. */
  const reseal = async (of: TestService) => {
    assert.deepEqual(await createScheduler(of.app).runDue(['secrets_reseal']), ['secrets_reseal'])
  }

  /** All secrets of a column in plain text, by their rows. */
  async function opened(of: TestService, column: OwnedColumn): Promise<Record<string, string | null>> {
    const found: Record<string, string | null> = {}
    for (const id of (await countByKey(service.store.read, column)).keys()) {
      for (const { key, sealed } of await valuesUnder(service.store.read, { column, ids: [id], limit: 1_000 })) {
        found[key.join(' ')] = await of.app.use(secretBox).unseal(service.store.read, sealed, column.about?.(key) ?? key.join(' '))
      }
    }
    return found
  }
  const allOpened = (of: TestService) => Promise.all(columns().map(column => opened(of, column)))

  test('every column with a sealed value is declared by its area', async () => {
    const [own = ''] = await idsOf('')
    const declared = new Set(columns().map(({ table, column }) => `${table}.${column}`))
    const found = await columnsWith(service, `${own}.`)
    assert.deepEqual([...declared].sort(), found.sort())
  })

  test('SECRET_KEY set on a running installation: its secrets are sealed again in the background, each for its record', async () => {
    const before = await allOpened(service)
    assert.ok(before.every(secrets => Object.values(secrets).every(secret => secret !== null)))
    const keyed = withKey(first)
    assert.deepEqual(await allOpened(keyed), before, 'nothing is lost before that')
    await reseal(keyed)
    const [current = ''] = await idsOf(first)
    for (const column of columns()) assert.deepEqual([...(await countByKey(service.store.read, column)).keys()], [current], column.table)
    assert.deepEqual(await allOpened(keyed), before)
  })

  test('SECRET_KEY=new,old opens what either sealed; after the task the old key is no longer needed', async () => {
    await reseal(withKey(first))
    const before = await allOpened(withKey(first))
    const both = withKey(`${second},${first}`)
    assert.deepEqual(await allOpened(both), before)
    await assert.rejects(checkSealed(surroundings(second), service.app.table), /under a key that is not here/)
    await reseal(both)
    assert.deepEqual(await lostSecrets(surroundings(second), service.app.table), [])
    assert.deepEqual(await allOpened(withKey(second)), before)
  })

  test('a damaged value stays as it is, and is sealed again once it is repaired', async () => {
    await reseal(withKey(second))
    const [column] = columns().filter(({ table }) => table === 'webhooks')
    assert.ok(column)
    const key = (await idsOf(second))[0] ?? ''
    const [value] = await valuesUnder(service.store.read, { column, ids: [key], limit: 1 })
    assert.ok(value)
    const damaged = `${value.sealed.slice(0, -4)}AAAA`
    const write = (text: string) =>
      service.store.write
        .updateTable('webhooks')
        .set({ secret: text })
        .where('id', '=', value.key[0] ?? '')
        .execute()
    await write(damaged)
    await reseal(withKey(`${third},${second}`))
    assert.equal((await countByKey(service.store.read, column)).get(key), 1)
    await write(value.sealed)
    await reseal(withKey(`${third},${second}`))
    assert.equal((await countByKey(service.store.read, column)).has(key), false)
    await reseal(withKey(`${second},${third}`))
  })

  test('a value that is changed while it is sealed again keeps its change', async () => {
    await reseal(withKey(second))
    const [column] = columns().filter(({ table }) => table === 'webhooks')
    assert.ok(column)
    const of = withKey(`${third},${second}`)
    const box = of.app.use(secretBox)
    const changed = await box.seal(service.store.read, 'changed', world.ids.webhook ?? '')
    const meanwhile: typeof box = {
      ...box,
      async unseal(db, sealed, about) {
        await db.updateTable('webhooks').set({ secret: changed }).where('id', '=', about).execute()
        return box.unseal(db, sealed, about)
      },
    }
    assert.equal(await sealAgain(service.store, meanwhile, { column, ids: await idsOf(second), step: async () => true }), 0)
    assert.equal((await opened(of, column))[world.ids.webhook ?? ''], 'changed')
    await reseal(withKey(`${second},${third}`))
  })

  test('a signed link and a repeated request of before hold as long as the old key is in the list', async () => {
    await reseal(withKey(first))
    const old = withKey(first)
    const path = `/imports/${world.ids.import}/file`
    const { store, clock } = service
    const link = await signedLink(
      { box: old.app.use(secretBox), db: store.read, config: { BASE_URL: '' } },
      { method: 'PUT', path, until: clock.now + 60_000 },
    )
    const put = async (of: TestService) =>
      (await of.web.request(`http://footfall.test${link}`, { method: 'PUT', body: '{}', headers: { 'Content-Type': 'text/plain' } })).status
    const refused = await put(withKey(second))
    assert.equal(refused, 404)
    assert.notEqual(await put(withKey(`${second},${first}`)), refused)

    const twice = (of: TestService) =>
      request(of, 'POST', `/workspaces/${world.ids.workspace}/api_tokens`, {
        token: world.token,
        body: { name: 'CI' },
        headers: { 'Idempotency-Key': 'rotation' },
      })
    const made = await twice(old)
    assert.equal(made.status, 201)
    assert.deepEqual((await twice(withKey(`${second},${first}`))).body, made.body)
    assert.deepEqual(codeOf(await twice(withKey(second))), [422, 'idempotency_key_reused'])
  })

  test('a key that is not here stops the start, which names what it sealed; emptied values start again', async () => {
    await reseal(withKey(`${third},${second},${first}`))
    const said = await checkSealed(surroundings(second), service.app.table).then(
      () => '',
      (error: Error) => error.message,
    )
    for (const { area, table, column } of columns()) assert.match(said, new RegExp(`${area}: \\d+ values? of ${table}\\.${column} \\(`))
    assert.match(said, new RegExp(world.ids.webhook ?? 'none'))
    assert.match(said, /SECRET_KEY=new,old/)
    assert.doesNotMatch(said, /@/, 'no address of a person')
    for (const { column, keys } of await lostSecrets(surroundings(second), service.app.table))
      await emptyValues(service.store.write, column, keys)
    await checkSealed(surroundings(second), service.app.table)
    const webhook = `/workspaces/${world.ids.workspace}/webhooks/${world.ids.webhook}`
    assert.equal((await request(withKey(second), 'GET', webhook, { token: world.token })).body.data.secret, '')
  })
})

describe('the value of SECRET_KEY', () => {
  test('is a comma list, newest first; a single key may hold commas, as before', () => {
    const [a, b] = ['a'.repeat(32), 'b'.repeat(40)]
    assert.deepEqual(keysIn(''), [])
    assert.deepEqual(keysIn(a), [a])
    assert.deepEqual(keysIn(`${a}, ${b}`), [a, b, `${a}, ${b}`])
    assert.deepEqual(keysIn(`${a},short`), [`${a},short`])
    assert.equal(keysIn('short'), undefined)
    assert.equal(keysIn('short,short'), undefined)
  })
})

/** Puts a value into each sealed column in which the example world has none. */
async function fillAll({ store, app }: TestService): Promise<void> {
  const box = app.use(secretBox)
  for (const column of sealedColumns(app.table)) {
    if ((await countByKey(store.read, column)).size > 0) continue
    const names = column.key ?? ['id']
    const { rows } = await sql<Record<string, string>>`
      select ${sql.join(names.map(name => sql.ref(name)))} from ${sql.table(column.table)} limit 1`.execute(store.read)
    const [row] = rows
    assert.ok(row, `${column.table} has no row in the example world`)
    const key = names.map(name => row[name] ?? '')
    const sealed = await box.seal(store.write, `secret of ${column.column}`, column.about?.(key) ?? key.join(' '))
    await sql`update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${sealed}
      where ${sql.join(
        names.map((name, i) => sql`${sql.ref(name)} = ${key[i]}`),
        sql` and `,
      )}`.execute(store.write)
  }
}

/** `table.column` of each column that holds a text with this beginning. */
async function columnsWith({ store }: TestService, beginning: string): Promise<string[]> {
  const found: string[] = []
  for (const { name: table, columns } of await store.read.introspection.getTables()) {
    for (const { name } of columns.filter(({ dataType }) => /text|char/i.test(dataType))) {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from ${sql.table(table)} where substr(${sql.ref(name)}, 1, ${beginning.length}) = ${beginning}`.execute(
        store.read,
      )
      if (Number(rows[0]?.n) > 0) found.push(`${table}.${name}`)
    }
  }
  return found
}
