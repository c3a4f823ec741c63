/** The place of files: next to the database, checked at the start, and looked at by `/readyz` afterwards. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { openFolder } from '../../../operations/exchange/files/folder.ts'
import { installationId } from '../../../storage/installation/installation-id.ts'
import { openDefault } from '../../../operations/exchange/files/default-folder.ts'
import { openLog } from '../../../runtime/observability/log.ts'
import { instanceKey } from '../../../storage/installation/instance-key.ts'
import { migrate } from '../../../storage/migrations/migrate.ts'
import { openStore } from '../../../storage/store.ts'
import { randomBytes } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { ordinaryUser } from '../../support/postgres.ts'
import { CHILD_TIMEOUT_MS, startProcess } from '../../support/process.ts'
import { request, startService } from '../../support/world.ts'
import { siteIn, startImporting } from '../imports/site.ts'
import { keys, startBuckets } from '../warehouse/buckets.ts'
import { someOf } from '../../support/full.ts'

const isRoot = process.getuid?.() === 0
let folder: string
before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-place-'))
  fs.chmodSync(folder, 0o755)
})
after(() => fs.rmSync(folder, { recursive: true, force: true }))
const fresh = (name: string) => fs.mkdtempSync(path.join(folder, `${name}-`))

describe('the default folder of files', () => {
  const opened = async (url: string) => {
    const store = openStore(url)
    await migrate(store)
    return store
  }
  const inFolder = async <T>(there: string, run: () => Promise<T>): Promise<T> => {
    const here = process.cwd()
    process.chdir(there)
    return run().finally(() => process.chdir(here))
  }
  async function* bytes() {
    yield Buffer.from('x')
  }

  test('is next to the SQLite file, wherever the process was started', async () => {
    const [data, working] = [fresh('data'), fresh('working')]
    const store = await opened(`file:${data}/footfall.db`)
    const files = await inFolder(working, () => openDefault(store, openLog('silent')))
    await files.write('imp_a', { from: 0, bytes: bytes(), max: 10 })
    await store.close()
    assert.deepEqual(fs.readdirSync(path.join(data, 'footfall-files')), ['imp_a'])
    assert.deepEqual(fs.readdirSync(working), [])
  })

  test('stays the earlier one, `data/files`, for the installation whose files are there, and for no other', async () => {
    const [data, working] = [fresh('data'), fresh('working')]
    const store = await opened(`file:${data}/footfall.db`)
    const earlier = path.join(working, 'data/files')
    fs.mkdirSync(earlier, { recursive: true })
    const kept = async (name: string) => {
      const files = await inFolder(working, () => openDefault(store, openLog('silent')))
      await files.write(name, { from: 0, bytes: bytes(), max: 10 })
      return fs.existsSync(path.join(earlier, name))
    }
    fs.writeFileSync(path.join(earlier, `ins_${'b'.repeat(24)}`), '')
    assert.equal(await kept('imp_a'), false, 'it is another installation’s')
    fs.renameSync(path.join(earlier, `ins_${'b'.repeat(24)}`), path.join(earlier, `ins_${await installationId(store.read)}`))
    assert.equal(await kept('imp_b'), true)
    fs.writeFileSync(path.join(data, 'footfall-files', `ins_${await installationId(store.read)}`), '')
    assert.equal(await kept('imp_c'), false, 'it was moved')
    await store.close()
  })
})

/** Starts the service as a user who owns only `data`. */
async function startAs(user: { uid?: number; gid?: number }, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'serve'], {
    ...user,
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: CHILD_TIMEOUT_MS,
  })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, output, errors }
}

describe('a start', { skip: !isRoot && 'only root can start as another user' }, () => {
  const user = ordinaryUser()
  const owned = (name: string) => {
    const data = fresh(name)
    fs.chownSync(data, user.uid ?? 0, user.gid ?? 0)
    return data
  }

  const made = async (url: string) => {
    const store = openStore(url)
    await migrate(store)
    await instanceKey(store, store.read, randomBytes)
    await store.close()
  }

  test('the service is not locked out by a command of root: its files belong to the owner of the folder', async () => {
    const data = owned('data')
    await made(`file:${data}/new/x.db`)
    const files = openFolder(`${data}/files`)
    await files.write('imp_a', { from: 0, bytes: Readable.from([Buffer.from('x')]), max: 10 })
    const exported = await files.create('exp_a')
    await exported.close()
    const all = fs.readdirSync(data, { recursive: true, encoding: 'utf8' }).filter(name => !/-(wal|shm)$/.test(name))
    assert.deepEqual(all.sort(), ['files', 'files/exp_a', 'files/imp_a', 'new', 'new/x.db', 'new/x.db.key'])
    for (const name of all) assert.equal(fs.statSync(path.join(data, name)).uid, user.uid, name)
  })

  test('stops at a folder of root, and says what, where, which user and what to do', async () => {
    const [data, other] = [owned('data'), fresh('root')]
    for (const place of someOf([other, path.join(other, 'new/files')], 1)) {
      const { code, output, errors } = await startAs(user, { DATABASE_URL: `file:${data}/x.db`, FILES_URL: `file:${place}` })
      assert.equal(code, 1)
      assert.doesNotMatch(output, /pat_/, 'the token is shown by the start that serves')
      assert.match(
        errors,
        new RegExp(
          `^Files of imports and exports \\(FILES_URL\\) cannot be stored: user \\w+ \\(${user.uid}\\) may not write to ${other} \\(permission denied\\)\\. Give the place to that user \\(chown ${user.uid} ${other}\\), or name another one in FILES_URL`,
          'm',
        ),
      )
    }
  })

  test('stops at a database whose folder or file is root’s, and says so', async () => {
    const [data, other] = [owned('data'), fresh('root')]
    const said = (place: string) =>
      new RegExp(
        `^The database at DATABASE_URL .* cannot be used: user \\w+ \\(${user.uid}\\) may not write to ${place} \\(permission denied\\)`,
      )
    assert.match((await startAs(user, { DATABASE_URL: `file:${other}/new/x.db` })).errors, said(other))
    await made(`file:${data}/x.db`)
    fs.chownSync(`${data}/x.db`, 0, 0)
    assert.match((await startAs(user, { DATABASE_URL: `file:${data}/x.db` })).errors, said(`${data}/x.db`))
  })
})

test('a start stops at a file in the place of the folder', async () => {
  const data = fresh('data')
  fs.writeFileSync(path.join(data, 'taken'), '')
  await assert.rejects(
    startProcess(`file:${data}/x.db`, { FILES_URL: `file:${data}/taken` }),
    /Files of imports and exports \(FILES_URL\) cannot be stored: .*\/taken cannot be written to by user .*a part of its path is not a folder/,
  )
})

test('a start stops at a folder whose name the system refuses', { skip: process.platform !== 'linux' }, async () => {
  await assert.rejects(
    startProcess(`file:${fresh('data')}/x.db`, { FILES_URL: 'file:/proc/refused/files' }),
    /Files of imports and exports \(FILES_URL\) cannot be stored: .*\/proc\/refused/,
  )
})

onAnyEngine('a folder of files', engine => {
  test('that is gone makes `/readyz` 503 and uploads wait, and nothing is put in its place; back, all goes on', async () => {
    const place = path.join(fresh('files'), 'mounted')
    const service = await startImporting(engine, { FILES_URL: `file:${place}` })
    const site = await siteIn(service)
    const ready = async () => {
      const { status, text } = await request(service, 'GET', '/readyz')
      return [status, text]
    }
    assert.deepEqual(await ready(), [200, 'ready'])
    const { data } = await site.get('imports_create', { source: 'footfall', filename: 'hits.ndjson' })
    fs.renameSync(place, `${place}-away`)
    assert.deepEqual(await ready(), [503, 'the folder of files (FILES_URL) cannot be used: it is gone'])
    const refused = await site.put(data.upload_url, '{}')
    assert.deepEqual([refused.status, (await refused.json()).error.code], [503, 'unavailable'])
    const { id } = (await site.get('exports_create', { kind: 'hits', format: 'csv' })).data
    await service.run()
    assert.ok(['pending', 'running'].includes((await site.get('exports_get', { id })).data.status), 'it waits')
    assert.equal(fs.existsSync(place), false)
    fs.renameSync(`${place}-away`, place)
    assert.deepEqual(await ready(), [200, 'ready'])
    assert.equal((await site.put(data.upload_url, '{}')).status, 200)
    await service.run()
    assert.equal((await site.get('exports_get', { id })).data.status, 'completed')
    assert.deepEqual(
      fs.readdirSync(place).filter(name => name.startsWith('.')),
      [],
      'no test file is left',
    )
    await service.close()
  })
})

onAnyEngine('a bucket of files', engine => {
  test('that refuses its keys stops a start, and is named by `/readyz` of a process that serves on', async () => {
    const buckets = await startBuckets()
    const at = (secret: string) => `s3://${keys.access_key_id}:${secret}@lake/files?region=eu-central-1&endpoint=${buckets.endpoint}`
    const service = await startService(engine, { FILES_URL: at(keys.secret_access_key) })
    service.clock.now = Date.now()
    const ready = async () => {
      const { status, text } = await request(service, 'GET', '/readyz')
      return [status, text]
    }
    assert.deepEqual(await ready(), [200, 'ready'])
    await assert.rejects(startProcess(service.url, { FILES_URL: at('wrong') }), /The bucket of files \(FILES_URL\) cannot be used: /)
    await buckets.close()
    assert.deepEqual(await ready(), [200, 'ready'], 'asked once a minute')
    service.clock.now += 60_000
    const [status, said] = await ready()
    assert.equal(status, 200)
    assert.match(String(said), /^ready, but the bucket of files \(FILES_URL\) cannot be used: /)
    await service.close()
  })
})
