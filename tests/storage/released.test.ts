/**
 * Databases that releases made (0.5.0 was none of its own), with hits, settings and people (`make-released.ts`): upgraded, they answer what the release answered,
 * from its sealed days, after those were sealed again, and packed.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import zlib from 'node:zlib'
import pg from 'pg'
import { migrate, pendingSteps } from '../../storage/migrations/migrate.ts'
import { fileOf, openStore } from '../../storage/store.ts'
import { type Engine, mostOn, onEachEngine } from '../support/engines.ts'
import { packAll } from '../support/packed.ts'
import { request, startService, type TestService } from '../support/world.ts'

const folder = new URL('./releases/', import.meta.url)
const unpacked = (name: string) => zlib.brotliDecompressSync(fs.readFileSync(new URL(`${name}.br`, folder)))
const releases = [...new Set(fs.readdirSync(folder).map(name => name.split(/\.(?=[a-z])/)[0] ?? ''))].sort()

interface Facts {
  readonly key: string
  readonly at: number
  readonly token: string
  readonly answers: Readonly<Record<string, unknown>>
}

/** The engine with the database of a release, upgraded. */
const upgraded = (engine: Engine, release: string): Engine => ({
  ...engine,
  async create() {
    const { url, store: empty, drop } = await engine.create()
    const content = unpacked(`${release}.${engine.name}`)
    const file = fileOf(url)
    if (file === undefined) {
      const client = new pg.Client(url)
      await client.connect()
      await client.query('drop schema public cascade; create schema public')
      await client.query(String(content))
      await client.end()
    } else fs.writeFileSync(`${file}.released`, content)
    const at = file === undefined ? url : `${url}.released`
    const store = openStore(at, { connections: 4 })
    assert.ok((await pendingSteps(store)).pending.length > 0, 'there is something to upgrade')
    await migrate(store)
    assert.deepEqual((await pendingSteps(store)).pending, [])
    return {
      store,
      url: at,
      async drop() {
        await store.close()
        await empty.close()
        await drop()
      },
    }
  },
})

/** Fields that depend on the process. */
const ofProcess = new Set(['url', 'last_used_at'])
/** Differences that the changelog announces. */
const announced: readonly RegExp[] = [
  /breakdown\/page\?.*\/(revenue|purchases|average_order): 0 became/, // revenue of what was bought on a page was always 0 up to 0.6
  /breakdown\/\w*page\?.*\/(value|label): "\/a%20b" became "\/a b"/, // pages are stored as people read them since 0.2
  /email_reports\/.*\/last_error: /, // in other words since 0.6
]

/** Lists what an answer has otherwise than before; fields that are new are no difference. */
function differences(before: unknown, now: unknown, at = ''): string[] {
  if (Array.isArray(before)) {
    if (!Array.isArray(now) || now.length !== before.length) return [`${at}: ${JSON.stringify(before)} became ${JSON.stringify(now)}`]
    const byKey = new Map(now.map(row => [keyOf(row), row]))
    return before.flatMap((row, i) => {
      const key = keyOf(row)
      return differences(row, key === undefined ? now[i] : byKey.get(key), `${at}/${key ?? i}`)
    })
  }
  if (typeof before === 'object' && before !== null) {
    return Object.entries(before).flatMap(([name, value]) =>
      ofProcess.has(name) ? [] : differences(value, (now as Record<string, unknown> | undefined)?.[name], `${at}/${name}`),
    )
  }
  return Object.is(before, now) ? [] : [`${at}: ${JSON.stringify(before)} became ${JSON.stringify(now)}`]
}

/** The field by which a row of a list or a report is found. */
function keyOf(row: any): string | undefined {
  const key = row?.id ?? row?.value
  return typeof key === 'string' ? key.replaceAll('%20', ' ') : undefined
}

async function compare(service: TestService, { answers, token }: Facts): Promise<string[]> {
  const found: string[] = []
  for (const [path, before] of Object.entries(answers)) {
    const reply = await request(service, 'GET', path, { token })
    assert.equal(reply.status, 200, `${path} ${reply.text}`)
    found.push(...differences(before, reply.body.data).map(each => `${path}${each}`))
  }
  return found.filter(each => !announced.some(pattern => pattern.test(each)))
}

onEachEngine('the database', engine => {
  for (const release of mostOn(engine, releases, 1)) {
    test(`of ${release} answers as before after its upgrade, also when its days are sealed again and packed`, async () => {
      const facts: Facts = JSON.parse(String(unpacked(`${release}.${engine.name}.json`)))
      const service = await startService(upgraded(engine, release), { SECRET_KEY: facts.key })
      service.clock.now = facts.at
      assert.deepEqual(await compare(service, facts), [])
      service.clock.now += 3 * 86_400_000
      await packAll(service.app)
      assert.deepEqual(await compare(service, facts), [])
      await service.close()
    })
  }
})
