/** Secrets are stored sealed, and appear in no audit entry, log or error. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { createApp } from '../../../runtime/create-app.ts'
import { openLog } from '../../../runtime/observability/log.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { export_ready } from '../../../operations/exchange/exports/events.ts'
import { fileOf } from '../../../storage/store.ts'
import { randomBytes } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { codeOf } from '../../support/replies.ts'
import { createWeb } from '../../../adapters/http/http.ts'
import { startDelivering, webhookIn } from './delivering.ts'
import { startReceiver } from './receiver.ts'

onAnyEngine('secrets', engine => {
  test('are in no table as they are, rotated or not', async () => {
    const service = await startDelivering(engine)
    const { secret, update } = await webhookIn(service, 'https://hooks.example.com/')
    const next = (await update({ rotate_secret: true })).secret
    const db = service.store.read
    const rows = await Promise.all([
      db.selectFrom('webhooks').selectAll().execute(),
      db.selectFrom('audit_entries').selectAll().execute(),
      db.selectFrom('idempotency_keys').selectAll().execute(),
      db.selectFrom('webhook_deliveries').selectAll().execute(),
      db.selectFrom('events').selectAll().execute(),
    ])
    const text = JSON.stringify(rows)
    for (const each of [secret, next]) {
      assert.ok(!text.includes(each) && !text.includes(each.slice(6)))
      assert.ok(!text.includes(Buffer.from(each).toString('base64url').slice(0, 20)))
    }
    await service.close()
  })

  test('open for what they were sealed for, under the key they were sealed with, and unchanged', async () => {
    const service = await startDelivering(engine)
    const db = service.store.read
    const box = service.app.use(secretBox)
    const sealed = await box.seal(db, 'geheim ✓', 'wh_1')
    assert.equal(await box.unseal(db, sealed, 'wh_1'), 'geheim ✓')
    assert.notEqual(await box.seal(db, 'geheim ✓', 'wh_1'), sealed)
    assert.equal(await box.unseal(db, sealed, 'wh_2'), null)
    const [id = '', text = ''] = sealed.split('.')
    for (const other of [
      '',
      '.',
      'x',
      id,
      `${id}.`,
      `${id}.AAAA`,
      `other.${text}`,
      `${id}.${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`,
    ]) {
      assert.equal(await box.unseal(db, other, 'wh_1'), null, other)
    }
    await service.close()
  })

  test('still open when SECRET_KEY is set later, and not when it is changed: the record says so, and a new one can be made', async () => {
    const receiver = await startReceiver()
    const service = await startDelivering(engine)
    const own = await webhookIn(service, receiver.url)
    const withKey = (SECRET_KEY: string) => {
      const app = createApp({
        store: service.store,
        table: service.app.table,
        now: service.app.now,
        random: randomBytes,
        log: openLog('silent'),
        config: { ...service.app.config, SECRET_KEY },
      })
      return { ...service, app, web: createWeb(app) }
    }
    const read = async (of: typeof service, id: string) =>
      (await of.web.request(`${own.base}/${id}`, { headers: { Authorization: `Bearer ${own.world.token}` } })).json() as Promise<{
        data: { secret: string }
      }>
    const keyed = withKey('a'.repeat(32))
    assert.equal((await read(keyed, own.id)).data.secret, own.secret, 'sealed under the key of the installation')
    const rotate = await keyed.web.request(`${own.base}/${own.id}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${own.world.token}`, 'Content-Type': 'application/json' },
      body: '{"rotate_secret":true}',
    })
    assert.equal(rotate.status, 200)
    assert.equal((await read(withKey('b'.repeat(32)), own.id)).data.secret, '')
    assert.equal((await own.get()).secret, '', 'without the key that sealed it')

    // The previous secret still signs: no delivery is lost or unsigned.
    await service.emit(own.world, export_ready, { export_id: 'exp_1', expires_at: '2026-12-01T00:00:00.000Z' })
    await service.deliver()
    assert.match(receiver.received[0]?.headers['service-signature'] ?? '', /^t=\d+,v1=[\da-f]{64}$/)
    service.clock.now += 25 * 3_600_000
    await service.emit(own.world, export_ready, { export_id: 'exp_2', expires_at: '2026-12-01T00:00:00.000Z' })
    await service.deliver()
    const [delivery] = await own.deliveries()
    assert.deepEqual([receiver.received.length, delivery.status, delivery.error.split(':')[0]], [1, 'pending', 'secret_unreadable'])
    const { secret } = await own.update({ rotate_secret: true })
    assert.match(secret, /^whsec_/)
    service.clock.now += 10_000
    await service.deliver()
    assert.equal((await own.deliveries())[0].status, 'succeeded')
    await receiver.close()
    await service.close()
  })

  test('are in no log line and no error, whatever goes wrong', async () => {
    const lines: string[] = []
    const write = process.stdout.write
    const service = await startDelivering(engine)
    const { secret, id, call } = await webhookIn(service, 'https://hooks.example.com/')
    const app = createApp({
      store: service.store,
      table: service.app.table,
      now: service.app.now,
      random: randomBytes,
      log: openLog('trace'),
      config: service.app.config,
    })
    process.stdout.write = (text: string | Uint8Array) => {
      lines.push(String(text))
      return true
    }
    try {
      const answer = await createWeb(app).request(`/workspaces/x/webhooks/${id}`)
      lines.push(await answer.text())
    } finally {
      process.stdout.write = write
    }
    const refused = await call('PATCH', `/${id}`, { url: 'nonsense', secret: 'whsec_mine' })
    assert.deepEqual(codeOf(refused), [422, 'validation_failed'])
    assert.ok(![...lines, refused.text].some(text => text.includes(secret) || text.includes('whsec_mine')))
    await service.close()
  })

  if (engine.name === 'sqlite') {
    test('secrets are sealed with a key file next to the database that only its owner may read: the database without it opens none', async () => {
      const service = await startDelivering(engine)
      const { id, secret } = await webhookIn(service, 'https://hooks.example.com/')
      const file = `${fileOf(service.url)}.key`
      assert.equal(fs.statSync(file).mode & 0o777, 0o600)
      const key = fs.readFileSync(file, 'utf8').trim()
      assert.equal(Buffer.from(key, 'base64').length, 32)
      const kept = ['', '-wal']
        .map(end => `${fileOf(service.url)}${end}`)
        .filter(each => fs.existsSync(each))
        .map(each => fs.readFileSync(each).toString('latin1'))
        .join('')
      assert.ok(!kept.includes(key) && !kept.includes(secret.slice(6)))
      const { secret: sealed } = await service.store.read
        .selectFrom('webhooks')
        .select('secret')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      fs.writeFileSync(file, randomBytes(32).toString('base64'))
      const without = createApp({
        store: service.store,
        table: service.app.table,
        now: service.app.now,
        random: randomBytes,
        log: openLog('silent'),
        config: service.app.config,
      })
      assert.equal(await without.use(secretBox).unseal(service.store.read, sealed, id), null)
      assert.deepEqual(
        fs.readdirSync(new URL('.', `file://${file}`)).filter(name => name.includes('.key.')),
        [],
        'no draft is left',
      )
      await service.close()
    })
  }
})
