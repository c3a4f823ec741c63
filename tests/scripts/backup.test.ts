/** A copy of a SQLite database in use, and what is said where one is used without its key. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandName } from '../../scripts/command-names.ts'
import { ranHere } from '../support/command.ts'
import { noonZone } from '../support/noon-zone.ts'
import { engines } from '../support/engines.ts'
import { type ServiceProcess, startProcess } from '../support/process.ts'
import { openFile } from '../../storage/dialects/sqlite-library.ts'
import { releaseLine } from '../../runtime/settings/version.ts'
import { steps } from '../../storage/migrations/steps.ts'

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

/** Takes back what a migration added. Tables that got a column lose their rows: SQLite drops no column that refers to another table. */
function undo(file: ReturnType<typeof openFile>, adds: readonly string[]): void {
  const added = adds.map(each => each.split('.'))
  for (const [table = ''] of added.filter(([, column]) => column === undefined))
    file.exec(table.startsWith('index ') ? `drop ${table}` : `drop table ${table}`)
  for (const table of new Set(added.flatMap(([table = '', column]) => (column === undefined ? [] : [table])))) {
    const columns = added.flatMap(([of, column]) => (of === table && column !== undefined ? [column] : []))
    const parts = file
      .prepare("select sql from sqlite_master where tbl_name = ? and sql is not null order by type = 'index'")
      .pluck()
      .all(table)
    file.exec(`drop table ${table}`)
    for (const part of parts.map(String))
      if (part.startsWith('CREATE TABLE'))
        file.exec(columns.reduce((sql, column) => sql.replace(new RegExp(`, ${column} [^,]*`), ''), part))
      else if (!columns.some(column => part.includes(`(${column})`))) file.exec(part)
  }
}

describe('a backup', { skip: !engines.some(({ name }) => name === 'sqlite') }, () => {
  let folder: string
  let service: ServiceProcess
  let token: string
  let workspace: string
  before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-backup-'))
    const asked = ['--email', 'a@example.com', '--site', 'example.com', '--timezone', noonZone(), '--json']
    const made = JSON.parse((await command('setup', asked, 'live')).stdout)
    token = made.token
    workspace = made.workspace_id
    service = await startProcess(url('live'))
    await call(service, 'POST', `/workspaces/${workspace}/webhooks`, { url: 'https://hooks.example.com/', events: ['site.created'] })
  })
  after(async () => {
    await service.end('SIGTERM')
    fs.rmSync(folder, { recursive: true, force: true })
  })

  const url = (name: string) => `file:${folder}/${name}.db`
  const environment = (name: string) => ({ ...process.env, DATABASE_URL: url(name) })
  const command = (name: CommandName, args: readonly string[], database: string) => ranHere(name, args, { DATABASE_URL: url(database) })
  /** As a process of its own. */
  const started = (name: CommandName, args: readonly string[], database: string) =>
    spawnSync(process.execPath, ['scripts/run.mjs', name, ...args], { encoding: 'utf8', env: environment(database) })
  /** A copy of one backup, with its key: each call of the command starts a process. */
  const copyBackup = async (name: string) => {
    const whole = `${folder}/whole.db`
    if (!fs.existsSync(whole)) await command('backup', [whole], 'live')
    for (const end of ['', '.key']) fs.copyFileSync(`${whole}${end}`, `${folder}/${name}.db${end}`)
    return `${folder}/${name}.db`
  }
  const call = async ({ address }: ServiceProcess, method: string, place: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${address}${place}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return ((await answer.json()) as { data: any }).data
  }
  const webhooks = (of: ServiceProcess) => call(of, 'GET', `/workspaces/${workspace}/webhooks`)
  const hit = (i: number) =>
    fetch(`${service.address}/api/event`, {
      method: 'POST',
      headers: { 'User-Agent': agent, 'X-Forwarded-For': `81.2.69.${i % 250}` },
      body: JSON.stringify({ n: 'pageview', u: `https://example.com/${i}`, d: 'example.com' }),
    }).then(({ status }) => assert.equal(status, 202))
  const pageviews = async (of: ServiceProcess, site: string) =>
    (await call(of, 'GET', `/sites/${site}/stats/aggregate?period=today`)).metrics.pageviews

  test('taken under load has all that was acknowledged before, can be served, and opens its secrets', async () => {
    for (let i = 0; i < 20; i++) await hit(i)
    const backup = spawn(process.execPath, ['scripts/run.mjs', 'backup', `${folder}/copy.db`], { env: environment('live') })
    const ended = once(backup, 'exit')
    let isRunning = true
    void ended.then(() => {
      isRunning = false
    })
    for (let i = 20; isRunning; i++) await Promise.all([hit(i), sleep(20)])
    assert.deepEqual(await ended, [0, null])
    for (const file of ['copy.db', 'copy.db.key']) assert.equal(fs.statSync(`${folder}/${file}`).mode & 0o777, 0o600, file)
    assert.deepEqual(
      fs.readdirSync(folder).filter(name => name.startsWith('copy')),
      ['copy.db', 'copy.db.key'],
    )
    const restored = await startProcess(url('copy'))
    const [site] = await call(restored, 'GET', `/workspaces/${workspace}/sites`)
    assert.ok((await pageviews(restored, site.id)) >= 20)
    assert.deepEqual(await webhooks(restored), await webhooks(service), 'with the key of its secrets')
    assert.doesNotMatch(restored.output(), /sealed under a key/)
    const inUse = await command('restore', [await copyBackup('idle')], 'copy')
    assert.deepEqual([inUse.status, /copy\.db is in use: stop the service first/.test(inUse.stdout + inUse.stderr)], [1, true])
    await restored.end('SIGKILL')
  })

  test('replaces the one of before in a folder, and neither the database itself nor one in use', async () => {
    fs.mkdirSync(`${folder}/daily`)
    for (let i = 0; i < 2; i++)
      assert.match((await command('backup', [`${folder}/daily`], 'live')).stdout, /daily\/live\.db {2}[\d,]+ bytes\n/)
    const refused = async (target: string, database = 'live') => {
      const { status, stderr } = await command('backup', [target], database)
      assert.equal(status, 1)
      return stderr
    }
    assert.match(await refused(folder), /is the database itself/)
    fs.writeFileSync(`${folder}/busy.db-wal`, '')
    assert.match(await refused(`${folder}/busy.db`), /a database in use/)
    assert.match(await refused(`${folder}/nowhere/x.db`), /was not copied/)
    assert.match(await refused(`${folder}/none-copy.db`, 'none'), /none\.db was not copied/)
    assert.deepEqual(
      fs.readdirSync(folder).filter(name => /none|\.part-/.test(name)),
      [],
    )
  })

  test('that was killed passes for no whole one, and is removed an hour later', async () => {
    const place = await copyBackup('killed')
    const pieces = ['killed.db.part-0123abcd', 'killed.db.part-0123abcd-journal']
    for (const piece of pieces) fs.writeFileSync(`${folder}/${piece}`, fs.readFileSync(place).subarray(0, 100_000))
    const left = () => fs.readdirSync(folder).filter(name => name.startsWith('killed.db.part-'))
    assert.equal((await command('restore', [`${folder}/${pieces[0]}`], 'half')).status, 1)
    await command('backup', [place], 'live')
    assert.deepEqual(left(), pieces, 'they may be of a backup that is running')
    for (const piece of pieces) fs.utimesSync(`${folder}/${piece}`, 0, 0)
    await command('backup', [place], 'live')
    assert.deepEqual(left(), [])
  })

  test('is restored over a database that nobody uses, which is kept', async () => {
    const backup = await copyBackup('kept')
    const restore = async (from: string, database: string) => {
      const { status, stdout, stderr } = await command('restore', [from], database)
      return { status, said: stdout + stderr }
    }
    assert.deepEqual(await restore(backup, 'moved'), {
      status: 0,
      said: `${backup} is restored to ${folder}/moved.db\n`,
    })
    assert.deepEqual(fs.readFileSync(`${folder}/moved.db.key`), fs.readFileSync(`${backup}.key`), 'with the key of its secrets')
    const again = await restore(backup, 'moved')
    assert.match(again.said, /The previous database is kept as .*moved\.db\.before-/)
    const kept = fs.readdirSync(folder).filter(name => name.startsWith('moved.db.before-'))
    assert.equal(kept.filter(name => name.endsWith('.key')).length, 1)
    assert.equal(kept.filter(name => !/\.key$|-wal$|-shm$/.test(name)).length, 1)
  })

  test('that is broken, of something else or of a newer version is refused, and changes nothing', async () => {
    const good = fs.readFileSync(await copyBackup('good'))
    fs.writeFileSync(`${folder}/short.db`, good.subarray(0, Math.floor(good.length / 2)))
    fs.writeFileSync(`${folder}/text.db`, 'no database at all, but a text of some length '.repeat(100))
    openFile(`${folder}/other.db`).exec('create table t (a)').close()
    fs.writeFileSync(`${folder}/newer.db`, good)
    openFile(`${folder}/newer.db`).exec("insert into kysely_migration values ('2999-01-01-later', '2999-01-01')").close()
    for (const [name, reason] of [
      ['short', /damaged|malformed/],
      ['text', /not a database/],
      ['other', /something else/],
      ['newer', /newer version.*2999-01-01-later/],
      ['absent', /there is no such file/],
    ] as const) {
      const { status, stderr } = await command('restore', [`${folder}/${name}.db`], 'target')
      assert.equal(status, 1, name)
      assert.match(stderr, reason)
    }
    assert.deepEqual(
      fs.readdirSync(folder).filter(name => name.startsWith('target')),
      [],
    )
    const { status, stderr } = await command('token', [], 'newer')
    assert.equal(status, 1)
    assert.match(stderr, /newer\.db\) cannot be used: a newer version has changed it \(2999-01-01-later\)/)
  })

  test('an upgrade is rehearsed on a copy, copies the database first, and a way back is named', async () => {
    await copyBackup('older')
    const [step, { adds = [] }] = Object.entries(steps).at(-1) ?? assert.fail()
    const older = openFile(`${folder}/older.db`)
    undo(older, adds)
    older.exec(`delete from kysely_migration where name = '${step}'`).close()
    const rehearsed = await command('migrate', ['--dry-run'], 'older')
    assert.match(
      rehearsed.stdout,
      new RegExp(`^Missing steps:\\n  ${step}\\nThey ran on a copy in \\d+ s\\. The database is unchanged\\.$`, 'm'),
    )
    assert.match((await command('migrate', ['--dry-run'], 'older')).stdout, /Missing steps/)

    const upgraded = await command('migrate', [], 'older')
    const [, copy = ''] = /A copy of it as it was: (\S+)/.exec(upgraded.stderr) ?? []
    const recorded = (file: string) => {
      const opened = openFile(file)
      const names = opened
        .prepare('select name from kysely_migration')
        .all()
        .map(row => (row as { name: string }).name)
      opened.close()
      return names
    }
    assert.deepEqual([recorded(copy).includes(step), recorded(`${folder}/older.db`).includes(step)], [false, true])
    assert.ok(fs.existsSync(`${copy}.key`))
    assert.match((await command('migrate', ['--dry-run'], 'older')).stdout, /^No step is missing\.$/m)

    openFile(`${folder}/older.db`).exec("insert into kysely_migration values ('2999-01-01-later', '2999-01-01')").close()
    const { stderr } = await command('token', [], 'older')
    assert.ok(stderr.includes(`(2999-01-01-later): install Footfall ${releaseLine()} or later, `), stderr)
    assert.ok(stderr.includes(`npm run restore -- ${copy}`), stderr)
    const back = await command('restore', [copy], 'older')
    assert.equal(back.status, 0, back.stderr)
    assert.ok(!recorded(`${folder}/older.db`).includes(step))
  })

  test('without its key stops the start and names what cannot be read, until that is emptied and can be set again', async () => {
    await copyBackup('keyless')
    fs.rmSync(`${folder}/keyless.db.key`)
    const { status, stderr } = started('serve', [], 'keyless')
    assert.equal(status, 1)
    assert.match(stderr, /Webhooks: 1 value of webhooks\.secret \(wh_\w+\)\n.*keyless\.db\.key.*\n.*npm run keys -- abandon/)

    assert.equal((await command('keys', [], 'keyless')).status, 1)
    assert.match((await command('keys', ['abandon'], 'keyless')).stdout, /^Webhooks: 1 value of webhooks\.secret emptied$/m)
    const keyless = await startProcess(url('keyless'))
    const [webhook] = await webhooks(keyless)
    assert.equal(webhook.secret, '')
    await call(keyless, 'PATCH', `/workspaces/${workspace}/webhooks/${webhook.id}`, { rotate_secret: true })
    await keyless.end('SIGTERM')
    assert.equal((await command('keys', [], 'keyless')).status, 0)
  })

  test('SECRET_KEY is introduced and replaced by commands: each says when the old key may go', async () => {
    await copyBackup('rotated')
    const keys = (args: readonly string[], SECRET_KEY: string) => ranHere('keys', args, { DATABASE_URL: url('rotated'), SECRET_KEY })
    const [first, second] = ['first-'.repeat(6), 'second-'.repeat(6)]
    assert.match((await keys([], first)).stdout, /rotated\.db\.key: 1 value\n {12}Webhooks: 1 value\n {12}It is needed/)
    assert.match(
      (await keys(['reseal'], first)).stdout,
      /^1 value sealed again\n\S{8} {2}key 1 of SECRET_KEY: 1 value, and it seals new ones/,
    )
    fs.rmSync(`${folder}/rotated.db.key`)
    assert.match((await keys([], `${second},${first}`)).stdout, /key 2 of SECRET_KEY: 1 value\n {12}Webhooks: 1 value\n {12}It is needed/)
    assert.match((await keys(['reseal'], `${second},${first}`)).stdout, /key 2 of SECRET_KEY: 0 values\n {12}It may go/)
    assert.doesNotMatch((await keys([], `${second},${first}`)).stdout, /key 3|as one key/)
    assert.equal((await keys([], second)).status, 0)
    assert.equal((await keys([], first)).status, 1)
  })
})

test('a backup of Postgres is that of Postgres', async () => {
  const { status, stderr } = await ranHere('backup', ['/tmp'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  assert.deepEqual([status, stderr], [1, 'The database at DATABASE_URL is Postgres: pg_dump backs it up\n'])
})
