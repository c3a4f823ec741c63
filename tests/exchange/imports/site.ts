/** A site to import into over the API, and files made for it. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { table } from '../../../operations/index.ts'
import { makeId } from '../../../runtime/values/ids.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { ZipFile } from 'yazl'
import type { Engine } from '../../support/engines.ts'
import { randomBytes } from '../../support/chance.ts'
import { geoDatabase } from '../../support/geo-database.ts'
import { callHttp, makeWorld, type Reply, startService, type TestService, type World } from '../../support/world.ts'

export interface Importing extends TestService {
  readonly folder: string
  /** Runs imports, exports and what cleans up after them. */
  run(only?: readonly string[]): Promise<void>
}

export async function startImporting(engine: Engine, settings: Record<string, string | number> = {}): Promise<Importing> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-files-'))
  const service = await startService(engine, { FILES_URL: `file:${folder}`, ...settings })
  const scheduler = createScheduler(service.app)
  return {
    ...service,
    folder,
    async run(only = ['imports_run', 'exports_run']) {
      service.clock.now += 10_000
      await scheduler.runDue(only)
    },
    async close() {
      await scheduler.stop()
      await service.close()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The city that the service reads from an address if it was started by `startWithCities`. */
export const cityOf = (ip: string) =>
  Number(ip.split('.')[0]) < 128
    ? { country: 'DE', region: 'DE-BE', city: 'Berlin' }
    : { country: 'US', region: 'US-CA', city: 'Los Angeles' }

const geolite = (ip: string) => {
  const { country, region, city } = cityOf(ip)
  return { country: { iso_code: country }, subdivisions: [{ iso_code: region.slice(3) }], city: { names: { en: city } } }
}

/** An importing service that knows two cities. */
export async function startWithCities(engine: Engine): Promise<Importing> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-cities-'))
  const file = path.join(folder, 'cities.mmdb')
  fs.writeFileSync(file, geoDatabase(geolite('1.0.0.0'), geolite('200.0.0.0')))
  const service = await startImporting(engine, { GEOIP_DATABASE: file })
  return {
    ...service,
    async close() {
      await service.close()
      fs.rmSync(folder, { recursive: true })
    },
  }
}

export type Site = Awaited<ReturnType<typeof siteIn>>

/** A site of a new workspace. */
export async function siteIn(service: Importing) {
  const world = await makeWorld(service)
  return withCalls(service, world, { id: world.ids.site ?? '', number: world.siteNumber })
}

/** Another, empty site of the same workspace. */
export async function siteBeside(service: Importing, { world }: Site) {
  const reply = await call(service, world, 'sites_create', {
    workspace_id: world.ids.workspace,
    name: 'Other',
    domain: `${randomBytes(5).toString('hex')}.example.com`,
    timezone: 'Europe/Berlin',
    currency: 'EUR',
  })
  assert.equal(reply.status, 201, reply.text)
  const { number } = await service.store.read
    .selectFrom('sites')
    .select('number')
    .where('id', '=', reply.body.data.id)
    .executeTakeFirstOrThrow()
  return withCalls(service, world, { id: reply.body.data.id, number })
}

function withCalls(service: Importing, world: World, { id, number }: { id: string; number: number }) {
  const ask = (name: string, input: Record<string, unknown> = {}) => call(service, world, name, { site_id: id, ...input })
  const get = async (name: string, input: Record<string, unknown> = {}) => {
    const { status, body, text } = await ask(name, input)
    assert.ok(status < 300, `${name}: ${status} ${text}`)
    return body
  }
  const put = (url: string, content: Uint8Array | string, headers: Record<string, string> = {}): Promise<Response> =>
    Promise.resolve(
      service.web.request(url, { method: 'PUT', body: typeof content === 'string' ? content : new Uint8Array(content), headers }),
    )
  return {
    id,
    number,
    world,
    ask,
    get,
    put,
    /** An import whose file is uploaded. */
    async upload(source: string, filename: string, content: Uint8Array | string, more: Record<string, unknown> = {}): Promise<string> {
      const { data } = await get('imports_create', { source, filename, ...more })
      const answer = await put(data.upload_url, content)
      assert.equal(answer.status, 200, await answer.text())
      return data.id
    },
    /** An import from start to end. */
    async load(source: string, filename: string, content: Uint8Array | string, more: Record<string, unknown> = {}) {
      const imported = await this.upload(source, filename, content, more)
      await get('imports_start', { id: imported })
      await service.run()
      return (await get('imports_get', { id: imported })).data
    },
    /** The error of a file that is refused at the start, or fails. */
    async refusal(source: string, filename: string, content: Uint8Array | string): Promise<string> {
      const imported = await this.upload(source, filename, content)
      const started = await ask('imports_start', { id: imported })
      if (started.status !== 200) {
        assert.equal(started.status, 422, started.text)
        return started.body.error.message
      }
      await service.run()
      const { data } = await get('imports_get', { id: imported })
      assert.equal(data.status, 'failed', JSON.stringify(data))
      return data.error.message
    },
  }
}

function call(service: Importing, world: World, name: string, input: Record<string, unknown>): Promise<Reply> {
  const operation = table.operations.get(name)
  assert.ok(operation, name)
  return callHttp(service, operation, input, world.token)
}

/** A zip of these files. */
export async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** An id that names nothing. */
export const nobody = (prefix: string, now: number): string => makeId({ prefix }, now, randomBytes(14))
