/** Backups that the service makes itself: when, what they hold, which stay, and what the operators learn of a failure. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { openFile } from '../../storage/dialects/sqlite-library.ts'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { type BucketServer, keys, startBuckets } from '../exchange/warehouse/buckets.ts'
import { engines, onAnyEngine } from '../support/engines.ts'
import { makeSite, startService, type TestService, type World } from '../support/world.ts'

const HOUR = 3_600_000

onAnyEngine('backups', engine => {
  if (engine.name !== 'sqlite' && engines.some(({ name }) => name === 'sqlite')) return
  const skip = engine.name !== 'sqlite' && 'SQLite only'
  let folder: string
  let service: TestService
  let world: World
  before(async () => {
    if (skip) return
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-backups-'))
    const settings = { BACKUP_URL: `file:${folder}`, BACKUP_KEEP: 2, SMTP_URL: 'smtp://127.0.0.1:9' }
    service = await startService(engine, settings)
    world = await makeSite(service)
  })
  after(async () => {
    await service?.close()
    if (folder) fs.rmSync(folder, { recursive: true, force: true })
  })

  const run = async () => {
    await createScheduler(service.app).runDue(['backups_make'])
  }
  const rows = () => service.store.read.selectFrom('backups').selectAll().orderBy('started_at').execute()
  const stored = () => fs.readdirSync(folder).filter(name => !name.endsWith('-key'))
  const gauge = async (name: string) => {
    const text = await (await service.web.request('/metrics')).text()
    return Number(new RegExp(`^footfall_${name} (\\S+)$`, 'm').exec(text)?.[1])
  }

  test('one is made, read back and checked; the next when it is due; the oldest goes', { skip }, async () => {
    await run()
    const [first] = await rows()
    assert.deepEqual([first?.error, first?.verified_at], [null, service.clock.now])
    const file = path.join(folder, first?.name ?? '')
    assert.equal(fs.statSync(file).size, first?.bytes)
    fs.copyFileSync(file, `${folder}.copy`) // SQLite writes next to a file that it opens
    const copy = openFile(`${folder}.copy`, { readonly: true })
    assert.deepEqual(copy.prepare('select id from sites where id = ?').all(world.ids.site), [{ id: world.ids.site }])
    copy.close()
    for (const end of ['', '-wal', '-shm']) fs.rmSync(`${folder}.copy${end}`, { force: true })
    assert.deepEqual(
      fs.readdirSync(path.dirname(service.url.slice('file:'.length))).filter(name => name.includes('.backup')),
      [],
      'no draft stays',
    )

    service.clock.now += 23 * HOUR
    await run()
    assert.equal((await rows()).length, 1, 'not due')
    assert.equal(await gauge('backup_age_seconds'), 23 * 3_600)
    for (let i = 0; i < 2; i++) {
      service.clock.now += 24 * HOUR
      await run()
    }
    assert.equal((await rows()).length, 2)
    assert.deepEqual(
      stored(),
      (await rows()).map(({ name }) => name),
    )
    assert.ok(!fs.existsSync(file))
    assert.equal(await gauge('backup_failed'), 0)
  })

  test('a failure is listed, tried again each hour, and mailed once when two are missing', { skip }, async () => {
    const aside = `${folder}-aside`
    fs.renameSync(folder, aside)
    fs.writeFileSync(folder, 'not a folder')
    const mails = async () => (await service.store.read.selectFrom('mails').select('recipient').execute()).map(({ recipient }) => recipient)
    const before = (await mails()).length
    service.clock.now += 25 * HOUR
    await run()
    const [failed] = (await rows()).slice(-1)
    assert.match(failed?.error ?? '', /The folder of backups \(BACKUP_URL\) cannot be used/)
    assert.equal(await gauge('backup_failed'), 1)
    assert.equal((await mails()).length, before, 'the last one is not that old')
    service.clock.now += HOUR / 2
    await run()
    assert.equal((await rows()).at(-1)?.id, failed?.id, 'not within the hour')
    for (let i = 0; i < 2; i++) {
      service.clock.now += 24 * HOUR
      await run()
    }
    const sent = (await mails()).slice(before)
    assert.ok(sent.includes(world.owner.email), String(sent))
    assert.equal(new Set(sent).size, sent.length, 'once')
    assert.match(await (await service.web.request('/readyz')).text(), /^ready, but the last backup is from 2026-/)

    fs.rmSync(folder)
    fs.renameSync(aside, folder)
    service.clock.now += 2 * HOUR
    await run()
    assert.equal((await rows()).at(-1)?.error, null)
    assert.equal(await (await service.web.request('/readyz')).text(), 'ready')
  })

  test('backups can be stored in a bucket', { skip }, async () => {
    const buckets: BucketServer = await startBuckets()
    const at = `s3://${keys.access_key_id}:${keys.secret_access_key}@lake/copies?region=eu-central-1&endpoint=${buckets.endpoint}`
    const other = await startService(engine, { BACKUP_URL: at })
    try {
      other.clock.now = Date.now() // requests to a bucket are signed by the clock
      await createScheduler(other.app).runDue(['backups_make'])
      const [row] = await other.store.read.selectFrom('backups').selectAll().execute()
      assert.deepEqual([row?.error, row?.verified_at], [null, other.clock.now])
    } finally {
      await other.close()
      await buckets.close()
    }
  })
})
