/** A place of files belongs to one installation: no other's files are deleted there. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Kysely } from 'kysely'
import { bytesBetween } from '../../../operations/exchange/files/file-store.ts'
import { files } from '../../../operations/exchange/files/files.ts'
import { FolderOfAnother } from '../../../operations/exchange/files/one-installation.ts'
import { table } from '../../../operations/index.ts'
import { createApp } from '../../../runtime/create-app.ts'
import { installationId } from '../../../storage/installation/installation-id.ts'
import { createInstallationId } from '../../../storage/migrations/installation-secrets.ts'
import { randomBytes } from '../../support/chance.ts'
import { type Engine, onSharedEngine } from '../../support/engines.ts'
import { startProcess } from '../../support/process.ts'
import { makeWorld, startService } from '../../support/world.ts'
import { siteIn, startImporting } from '../imports/site.ts'
import { traffic } from '../traffic.ts'
import { keys, startBuckets } from '../warehouse/buckets.ts'

/** A database of another installation, because databases of tests are copies of one. */
async function installed(engine: Engine, place: string) {
  const service = await startImporting(engine, { FILES_URL: place })
  service.clock.now = Date.now() // requests to a bucket are signed by the clock
  const id = randomBytes(12).toString('hex')
  await service.store.write.updateTable('instance_secrets').set({ value: id }).where('name', '=', 'installation').execute()
  return { service, site: await siteIn(service), id }
}
type Installed = Awaited<ReturnType<typeof installed>>

const cleaning = ['imports_clean', 'exports_clean']
const isRefused = /belongs to another installation \(ins_\w+\).*set FILES_URL to another folder or prefix/

const places = {
  'a folder': async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-shared-'))
    return { url: `file:${folder}`, close: async () => fs.rmSync(folder, { recursive: true }) }
  },
  'a bucket': async () => {
    const { endpoint, close } = await startBuckets()
    return { url: `s3://${keys.access_key_id}:${keys.secret_access_key}@lake/some/where?region=eu-central-1&endpoint=${endpoint}`, close }
  },
}

onSharedEngine('two installations', engine => {
  for (const [kind, opened] of Object.entries(places)) {
    describe(`at ${kind}`, () => {
      let place: Awaited<ReturnType<typeof opened>>
      let one: Installed
      let other: Installed
      before(async () => {
        place = await opened()
        one = await installed(engine, place.url)
        other = await installed(engine, place.url)
      })
      after(async () => {
        await one.service.close()
        await other.service.close()
        await place.close()
      })
      const begun = async ({ site }: Installed) => (await site.get('imports_create', { source: 'footfall', filename: 'hits.ndjson' })).data
      const there = ({ service }: Installed, name: string) => service.app.use(files).sizeOf(name)
      /** As a process that has just started. */
      const restarted = ({ service: { store, app, clock } }: Installed) =>
        createApp({ store, table, config: app.config, log: app.log, now: () => clock.now, random: randomBytes })
      const checked = (of: Installed) => restarted(of).use(files).check()

      test('the location belongs to the installation that uses it first, and the other one gets an error with the fix', async () => {
        await checked(other)
        assert.deepEqual(await one.service.app.use(files).names('ins_'), [], 'nothing is written before that')
        const { id, upload_url } = await begun(one)
        const content = Buffer.from(traffic(40, one.service.clock.now))
        assert.equal((await one.site.put(upload_url, content)).status, 200)

        await other.service.run(cleaning)
        assert.equal(await there(one, id), content.length, 'what the other does not know is left alone')
        const refused = await other.site.put((await begun(other)).upload_url, content)
        assert.equal(refused.status, 503)
        assert.match((await refused.json()).error.message, isRefused)
        const exported = (await other.site.get('exports_create', { kind: 'hits', format: 'csv' })).data
        await other.service.run()
        assert.notEqual((await other.site.get('exports_get', { id: exported.id })).data.status, 'completed')
        await assert.rejects(
          () => checked(other),
          error => error instanceof FolderOfAnother && isRefused.test(error.message),
        )

        await checked(one)
        const mark = `ins_${one.id}`
        const file = await one.service.app.use(files).open(mark)
        assert.match(String(file && (await bytesBetween(file, 0, file.size))), new RegExp(`belong to the Footfall installation ${mark}`))
        await file?.close()
        await one.site.get('imports_start', { id })
        await one.service.run()
        assert.equal((await one.site.get('imports_get', { id })).data.status, 'completed')
      })

      test('one of before, without a sign, is taken over by whose database knows a file of it', async () => {
        const { id, upload_url } = await begun(one)
        assert.equal((await one.site.put(upload_url, traffic(3, one.service.clock.now))).status, 200)
        await one.service.app.use(files).remove(`ins_${one.id}`)
        await assert.rejects(() => checked(other), /has files, but this database knows none of them/)
        await other.service.run(cleaning)
        assert.ok(await there(one, id))
        await checked(one)
        assert.deepEqual(await one.service.app.use(files).names('ins_'), [`ins_${one.id}`])
      })

      test('it is the other’s once it is empty', async () => {
        for (const prefix of ['imp_', 'exp_', 'ins_'])
          for (const name of await one.service.app.use(files).names(prefix)) await one.service.app.use(files).remove(name)
        const { id, upload_url } = await begun(other)
        assert.equal((await other.site.put(upload_url, traffic(3, other.service.clock.now))).status, 200)
        assert.ok(await there(other, id))
        await assert.rejects(() => checked(one), FolderOfAnother)
        await one.service.run(cleaning) // it has used the place before, and looks again before it removes
        assert.ok(await there(other, id))
      })
    })
  }

  test('with one folder: the second does not start', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-shared-'))
    const { service, site } = await installed(engine, `file:${folder}`)
    const { data } = await site.get('imports_create', { source: 'footfall', filename: 'hits.ndjson' })
    assert.equal((await site.put(data.upload_url, traffic(3, service.clock.now))).status, 200)
    const [mine, second] = [service.url, await engine.create()]
    await second.store.write
      .updateTable('instance_secrets')
      .set({ value: 'b'.repeat(24) })
      .where('name', '=', 'installation')
      .execute()
    await assert.rejects(startProcess(second.url, { FILES_URL: `file:${folder}` }), isRefused)
    const process = await startProcess(mine, { FILES_URL: `file:${folder}` })
    await process.end('SIGTERM')
    await second.drop()
    await service.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  test('installations are distinguished by an id, which a restored backup keeps', async () => {
    const service = await startService(engine)
    await makeWorld(service)
    const { store } = service
    const again = async () => {
      await store.write.deleteFrom('instance_secrets').where('name', '=', 'installation').execute()
      await createInstallationId(store.write as unknown as Kysely<unknown>, store.dialect)
      return installationId(store.read)
    }
    const first = await again()
    assert.match(first, /^[\da-f]{24}$/)
    assert.equal(await again(), first)
    await store.write.deleteFrom('workspaces').execute()
    assert.notEqual(await again(), first, 'a new database has one by chance')
    await service.close()
  })
})
