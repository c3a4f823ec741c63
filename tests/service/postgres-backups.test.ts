/** Backups of Postgres that the service makes with pg_dump, and their way back. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { type BucketServer, keys, startBuckets } from '../exchange/warehouse/buckets.ts'
import { ranHere } from '../support/command.ts'
import { engines } from '../support/engines.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/postgres.ts'
import { makeSite, startService, type TestService, type World } from '../support/world.ts'
import { migrate } from '../../storage/migrations/migrate.ts'
import { openStore } from '../../storage/store.ts'

const HOUR = 3_600_000

/** A server that `pg_dump` of this machine can dump. */
const bindir = (() => {
  try {
    return execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
})()
const hasPrograms = bindir !== undefined && ['initdb', 'postgres', 'pg_dump'].every(each => fs.existsSync(path.join(bindir, each)))

describe('backups of Postgres', {
  skip: (!hasPrograms || !engines.some(({ name }) => name === 'postgres')) && 'no pg_dump and server of one version',
}, () => {
  let folder: string
  let postgres: OwnPostgres
  let service: TestService
  let world: World
  const engine = {
    name: 'postgres',
    async create() {
      const store = openStore(postgres.url)
      await migrate(store)
      return { store, url: postgres.url, drop: () => store.close() }
    },
  } as const
  before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-backups-'))
    postgres = await startOwnPostgres({ programs: bindir ?? '' })
    await query('postgres', 'create database footfall')
    postgres.url = urlOf('footfall')
    service = await startService(engine, { BACKUP_URL: `file:${folder}`, BACKUP_KEEP: 2 })
    world = await makeSite(service)
  })
  after(async () => {
    await service?.close()
    await postgres?.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  const urlOf = (database: string, user = 'postgres') => postgres.url.replace(/postgres@(.*)\/\w+$/, `${user}@$1/${database}`)
  async function query(database: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(urlOf(database))
    await client.connect()
    return (await client.query<Record<string, unknown>>(text)).rows.concat(await client.end().then(() => []))
  }
  const databases = async () => (await query('postgres', 'select datname as name from pg_database')).map(({ name }) => String(name)).sort()
  const run = () => createScheduler(service.app).runDue(['backups_make'])
  const rows = () => service.store.read.selectFrom('backups').selectAll().orderBy('started_at').execute()
  const checked = () => Promise.all(service.app.table.checks.map(({ start }) => start(service.app)))

  test('one is made, restored into a database of its own and checked; the oldest goes', async () => {
    const before = await databases()
    await checked()
    for (let i = 0; i < 3; i++) {
      await run()
      service.clock.now += 24 * HOUR
    }
    const made = await rows()
    assert.deepEqual(
      made.map(({ error, verified_at, started_at }) => [error, verified_at === started_at]),
      [
        [null, true],
        [null, true],
      ],
    )
    assert.deepEqual(
      fs.readdirSync(folder).sort(),
      made.map(({ name }) => name),
    )
    assert.equal(fs.statSync(path.join(folder, made[0]?.name ?? '')).size, made[0]?.bytes)
    assert.deepEqual(await databases(), before, 'nothing is left on the server')
    assert.match(await (await service.web.request('/metrics')).text(), /^footfall_backup_age_seconds 86400$/m)
  })

  test('where the role may not make a database, all of it is read; a broken one does not count', async () => {
    const { checkDump } = await import('../../storage/dialects/postgres-restore.ts')
    const { programsFor } = await import('../../storage/dialects/postgres-programs.ts')
    const [{ name = '' } = {}] = (await rows()).slice(-1)
    const whole = fs.readFileSync(path.join(folder, name))
    await query('footfall', 'create role reader login in role pg_read_all_data')
    const [url, programs] = [urlOf('footfall', 'reader'), await programsFor(postgres.url)]
    async function* pieces(bytes: Buffer) {
      yield bytes
    }
    const { recordedNames } = await import('../../storage/migrations/steps.ts')
    const known = new Set(recordedNames)
    assert.equal(await checkDump({ url, dump: pieces(whole), programs, known }), false)
    for (const broken of [whole.subarray(0, whole.length - 5_000), Buffer.from('not a dump')])
      for (const each of [url, postgres.url])
        await assert.rejects(checkDump({ url: each, dump: pieces(broken), programs, known }), /pg_restore ended with 1: /)
    await assert.rejects(checkDump({ url: postgres.url, dump: pieces(whole), programs, known: new Set() }), /made by a newer version/)
    assert.deepEqual(
      (await databases()).filter(each => each.includes('check')),
      [],
    )
  })

  test('without pg_dump of that version, the start and the list say which package is missing', async () => {
    const { PATH } = process.env
    process.env.PATH = folder
    fs.writeFileSync(path.join(folder, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 9.6"', { mode: 0o755 })
    const { programsFor } = await import('../../storage/dialects/postgres-programs.ts')
    try {
      await assert.rejects(
        programsFor(postgres.url, ''),
        /need pg_dump \d+ or newer, and only 9 is here. Install it: the package postgresql-client-\d+ of Debian/,
      )
    } finally {
      process.env.PATH = PATH
      fs.rmSync(path.join(folder, 'pg_dump'))
    }
    await assert.rejects(programsFor(`${postgres.url}?pgbouncer=true`), /need a direct connection/)
  })

  test('backups of Postgres can be stored in a bucket', async () => {
    const buckets: BucketServer = await startBuckets()
    const at = `s3://${keys.access_key_id}:${keys.secret_access_key}@lake/copies?region=eu-central-1&endpoint=${buckets.endpoint}`
    const other = await startService(engine, { BACKUP_URL: at })
    try {
      other.clock.now = Date.now() + 100 * 24 * HOUR
      const { makeBackup } = await import('../../operations/service/installation/make-backup.ts')
      const { openBackupPlace } = await import('../../operations/service/installation/backup-place.ts')
      const place = openBackupPlace(other.app.config, Date.now)
      assert.ok(place)
      const made = await makeBackup({ url: postgres.url, place, name: 'bak_20260101T000000Z', signal: new AbortController().signal })
      assert.equal(made.isRestored, true)
      assert.deepEqual(await place.names('bak_'), ['bak_20260101T000000Z'])
    } finally {
      await other.close()
      await buckets.close()
    }
  })

  test('restore puts it in the place of the database, which is kept, unless it is in use, or the backup is broken', async () => {
    const environment = { DATABASE_URL: postgres.url, BACKUP_URL: `file:${folder}` }
    const user = new pg.Client(postgres.url)
    await user.connect()
    const { stderr } = await ranHere('restore', ['latest'], environment)
    await user.end()
    assert.match(stderr, /was not restored: footfall is in use by \d+ connections: stop the service first/)
    await query('footfall', `update sites set domain = 'changed.example.com' where id = '${world.ids.site}'`)
    await service.close()
    fs.writeFileSync(path.join(folder, 'broken'), 'not a dump')
    assert.match(
      (await ranHere('restore', [path.join(folder, 'broken')], environment)).stderr,
      /broken was not restored: pg_restore ended with 1/,
    )
    assert.equal((await query('footfall', `select domain from sites where id = '${world.ids.site}'`))[0]?.domain, 'changed.example.com')

    const restored = await ranHere('restore', ['latest'], environment)
    const [, before = ''] =
      /^bak_\w+ is restored to postgres:\/\/\S+\nThe previous database is kept as (footfall_before_\d{14})\n$/.exec(restored.stdout) ?? []
    assert.ok(before, restored.stdout + restored.stderr)
    assert.equal((await query(before, `select domain from sites where id = '${world.ids.site}'`))[0]?.domain, 'changed.example.com')
    assert.deepEqual((await query('footfall', 'select id from sites')).map(({ id }) => id).includes(world.ids.site), true)

    // A server without such a database, as after a loss.
    await query('postgres', 'drop database footfall')
    assert.match((await ranHere('restore', ['latest'], environment)).stdout, /^bak_\w+ is restored to [^\n]+\n$/)
    service = await startService(engine)
    assert.equal(
      (await service.web.request(`/sites/${world.ids.site}.json`, { headers: { Authorization: `Bearer ${world.token}` } })).status,
      200,
    )
  })
})
