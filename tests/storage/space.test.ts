/** The space of a SQLite file: new files can become smaller, the task makes them smaller, and `vacuum` converts old files. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { backUpSqlite } from '../../storage/dialects/sqlite-backup.ts'
import { openFile } from '../../storage/dialects/sqlite-library.ts'
import { restoreSqlite } from '../../storage/dialects/sqlite-restore.ts'
import { spaceOf } from '../../storage/dialects/sqlite-space.ts'
import { migrate } from '../../storage/migrations/migrate.ts'
import { recordedNames } from '../../storage/migrations/steps.ts'
import { fileOf, openStore } from '../../storage/store.ts'
import { engines } from '../support/engines.ts'
import { endProcess } from '../support/process.ts'
import { startService } from '../support/world.ts'

const sqlite = engines.find(({ name }) => name === 'sqlite')

describe('the space of a SQLite file', { skip: !sqlite && 'not on SQLite' }, () => {
  let folder: string
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-space-'))
  })
  after(() => fs.rmSync(folder, { recursive: true, force: true }))

  const spaceIn = (file: string) => {
    const database = openFile(file)
    try {
      return spaceOf(database)
    } finally {
      database.close()
    }
  }
  /** A file as versions before made it, with free pages in front of used ones. */
  function oldFile(name: string, rows = 2_000): string {
    const file = path.join(folder, name)
    const database = openFile(file)
    database.pragma('journal_mode = WAL')
    database.exec('create table filler (id integer primary key, filling blob)')
    database.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows})
      insert into filler select i, randomblob(4000) from n`)
    database.exec(`delete from filler where id <= ${rows / 2}`)
    database.close()
    return file
  }
  const start = (file: string, ...args: string[]) =>
    [process.execPath, ['scripts/run.mjs', 'vacuum', ...args], { env: { ...process.env, DATABASE_URL: `file:${file}` } }] as const
  function vacuum(file: string) {
    const [program, args, options] = start(file)
    return spawnSync(program, args, { ...options, encoding: 'utf8' })
  }

  test('a new file can become smaller, and so can its backup and what is restored from that', async () => {
    const store = openStore(`file:${folder}/new.db`)
    await migrate(store)
    assert.equal(store.file?.space().canShrink, true)
    await backUpSqlite(`${folder}/new.db`, `${folder}/copy.db`)
    await store.close()
    restoreSqlite({ backup: `${folder}/copy.db`, file: `${folder}/restored.db`, known: new Set(recordedNames), at: 0 })
    assert.deepEqual([spaceIn(`${folder}/copy.db`).canShrink, spaceIn(`${folder}/restored.db`).canShrink], [true, true])
  })

  test('the task gives free pages back, but keeps some, and does nothing where few are free', async () => {
    const service = await startService(sqlite ?? assert.fail())
    const other = openFile(fileOf(service.store.url) ?? '')
    const space = () => service.store.file?.space() ?? assert.fail()
    const run = async () => {
      service.clock.now += 10 * 60_000
      assert.deepEqual(await createScheduler(service.app).runDue(['space_return']), ['space_return'])
    }
    try {
      await run()
      other.exec(`create table filler (id integer primary key, filling blob);
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 6000) insert into filler select i, randomblob(4000) from n;
        delete from filler where id <= 3000`)
      const little = space()
      await run()
      assert.equal(space().pages, little.pages, 'few are free')
      other.exec('delete from filler where id <= 5900')
      const much = space()
      await run()
      const afterwards = space()
      assert.ok(much.freePages > 5_000 && afterwards.freePages < 2_200, JSON.stringify([much, afterwards]))
      assert.ok(much.pages - afterwards.pages > 3_000, JSON.stringify([much, afterwards]))
      assert.deepEqual(other.pragma('integrity_check'), [{ integrity_check: 'ok' }])
      assert.equal(other.prepare('select count(*) from filler').pluck().get(), 100)
    } finally {
      other.close()
      await service.close()
    }
  })

  test('a step of the task gives up where another process is writing, and leaves a transaction under way as it is', async () => {
    const store = openStore(`file:${folder}/busy.db`)
    const other = openFile(`${folder}/busy.db`)
    try {
      await migrate(store)
      other.exec('begin immediate')
      assert.equal(store.file?.giveBack(10), false)
      other.exec('commit')
      await store.transaction(async () => assert.equal(store.file?.giveBack(10), false))
      assert.equal(store.file?.giveBack(10), true)
    } finally {
      other.close()
      await store.close()
    }
  })

  test('vacuum makes an old file smaller, able to become so by itself, and says both sizes', () => {
    const file = oldFile('old.db')
    assert.equal(spaceIn(file).canShrink, false)
    const { status, stdout, stderr } = vacuum(file)
    assert.deepEqual([status, stderr], [0, ''])
    const [, before = '', after = ''] = /old\.db: ([\d.]+) MB before, ([\d.]+) MB after\n$/.exec(stdout) ?? assert.fail(stdout)
    assert.ok(Number(after) < Number(before) * 0.6, stdout)
    const { canShrink, freePages } = spaceIn(file)
    assert.deepEqual([canShrink, freePages], [true, 0])
  })

  test('vacuum refuses a file that is open elsewhere, one that is not there, and Postgres', async () => {
    const file = oldFile('used.db')
    const other = openFile(file)
    other.prepare('select count(*) from filler').get()
    const { status, stderr } = vacuum(file)
    assert.deepEqual([status, stderr], [1, `${file} was not vacuumed: it is in use: stop the service first\n`])
    other.close()
    assert.equal(spaceIn(file).canShrink, false)
    assert.match(vacuum(`${folder}/none.db`).stderr, /none\.db was not vacuumed: there is no such file\n$/)
    const [program, args, options] = start(file)
    const postgres = spawnSync(program, args, {
      ...options,
      env: { ...options.env, DATABASE_URL: 'postgres://x@localhost/y' },
      encoding: 'utf8',
    })
    assert.deepEqual([postgres.status, postgres.stdout], [1, ''])
    assert.match(postgres.stderr, /Postgres, which gives back space by itself/)
  })

  test('a vacuum that is killed half-way leaves the file whole', async () => {
    const file = oldFile('killed.db', 20_000)
    const [program, args, options] = start(file)
    const child = spawn(program, args, { ...options, stdio: 'ignore' })
    const ended = once(child, 'exit')
    let isRunning = true
    void ended.then(() => {
      isRunning = false
    })
    const journal = () => fs.statSync(`${file}-journal`, { throwIfNoEntry: false })?.size ?? 0
    while (isRunning && journal() < 1_000_000) await new Promise(resolve => setImmediate(resolve))
    await endProcess(child, 'SIGKILL')
    const database = openFile(file)
    assert.deepEqual(database.pragma('integrity_check'), [{ integrity_check: 'ok' }])
    assert.equal(database.prepare('select count(*) from filler').pluck().get(), 10_000)
    database.close()
  })
})
