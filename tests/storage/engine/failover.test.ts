/** A failover while a day is being sealed: `rev` is given again for other hits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORMAT } from '../../../storage/engine/days/sealed-columns.ts'
import { writeSealed } from '../../../storage/engine/days/segments.ts'
import { openLocal } from '../../../storage/engine/local.ts'
import { openHitStore } from '../../../storage/hits/hit-store.ts'
import { migrate } from '../../../storage/migrations/migrate.ts'
import { openStore } from '../../../storage/store.ts'
import { randomBytes } from '../../support/chance.ts'
import { engines } from '../../support/engines.ts'
import { settled } from '../../support/losses.ts'
import { startOwnPostgres } from '../../support/postgres.ts'
import { hit, HOUR, MIDNIGHT } from '../new-hits.ts'

const withoutPostgres = !engines.some(({ name }) => name === 'postgres')

test('a day that was read before a failover is not sealed after it, though it has the same number of changes again', {
  skip: withoutPostgres,
}, async () => {
  const server = await startOwnPostgres()
  const store = openStore(server.url)
  await migrate(store)
  let now = MIDNIGHT + 20 * HOUR
  const send = async (...pages: string[]) => {
    const hits = openHitStore(store, { now: () => now, randomBytes })
    for (const page of pages) {
      const [outcome] = await hits.append([hit({ site: 1, visitor: page, at: MIDNIGHT + 20 * HOUR, page })])
      assert.ok(outcome?.stored)
    }
    await hits.close()
  }
  await send('/a')
  await server.halt()
  server.keep()
  await server.resume()
  await settled(() => send('/lost'))
  const { day } = await store.read.selectFrom('site_days').select('day').executeTakeFirstOrThrow()
  const built = await openLocal(store, { cacheBytes: 1_000_000 }).sealed(1, day)
  assert.ok(built?.sealed)

  await server.halt('crash')
  server.rewind()
  await server.resume()
  await settled(() => send('/kept'))
  now += 24 * HOUR
  const { rev } = await store.read.selectFrom('site_days').select('rev').where('day', '=', day).executeTakeFirstOrThrow()
  assert.equal(rev, built.rev)
  const unsealed = { site: 1, day, rev, visitors: 2 }
  assert.equal(await writeSealed(store, { unsealed, format: FORMAT, sealed: built.sealed, epoch: built.epoch }), false)
  const again = await openLocal(store, { cacheBytes: 1_000_000 }).sealed(1, day)
  assert.equal(await writeSealed(store, { unsealed, format: FORMAT, sealed: again?.sealed ?? null, epoch: again?.epoch ?? '' }), true)
  await store.close()
  await server.stop()
})
