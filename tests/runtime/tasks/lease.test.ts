/** Claims of due rows: each goes to one caller, and becomes claimable again when its lease ends. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { claimDue, depthOf, laneClaim } from '../../../runtime/tasks/lease.ts'
import { openStore, type Store } from '../../../storage/store.ts'
import { onEachEngine } from '../../support/engines.ts'
import { makeWorld, startService, type TestService } from '../../support/world.ts'
import { SECOND } from './tasks.ts'

const queue = { table: 'alerts', due: 'evaluate_at' } as const

onEachEngine('claims', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(() => service.store.write.deleteFrom('alerts').execute())

  /** Inserts alerts that are due at these times. */
  async function dueAt(...times: ReadonlyArray<number | null>): Promise<void> {
    const { ids } = await makeWorld(service)
    const db = service.store.write
    const { id: _, ...like } = await db
      .selectFrom('alerts')
      .selectAll()
      .where('id', '=', ids.alert ?? '')
      .executeTakeFirstOrThrow()
    await db.deleteFrom('alerts').execute()
    for (const [i, evaluate_at] of times.entries()) {
      await db
        .insertInto('alerts')
        .values({ ...like, id: `alr_${i}`, evaluate_at, leased_until: null })
        .execute()
    }
  }
  const claim = (limit = 100, store: Store = service.store) =>
    claimDue(store, { ...queue, limit, leaseMs: 60 * SECOND, now: service.clock.now })
  const idsOf = (rows: ReadonlyArray<{ id: string }>) => rows.map(({ id }) => id).sort()

  test('take what is due, longest first, and never what is not', async () => {
    const { now } = service.clock
    await dueAt(now, now - 5, now + 1, null, now - 9)
    assert.deepEqual(await depthOf(service.store, queue, now), { rows: 3, since: now - 9 })
    const [first] = await claim(1)
    assert.deepEqual([first?.id, first?.leased_until], ['alr_4', now + 60 * SECOND])
    assert.deepEqual(idsOf(await claim()), ['alr_0', 'alr_1'])
    assert.deepEqual(await claim(), [])
    assert.deepEqual(await depthOf(service.store, queue, now), { rows: 0, since: null })
  })

  test('come back when the lease ends, and who had them can settle them no more', async () => {
    await dueAt(service.clock.now)
    const [lost] = await claim()
    service.clock.now += 60 * SECOND - 1
    assert.deepEqual(await claim(), [])
    service.clock.now += 1
    const [held] = await claim()
    assert.equal(held?.id, 'alr_0')
    const settle = async (leased_until: number | null | undefined) =>
      (
        await service.store.write
          .updateTable('alerts')
          .set({ evaluate_at: null, leased_until: null })
          .where('id', '=', 'alr_0')
          .where('leased_until', '=', leased_until ?? 0)
          .executeTakeFirstOrThrow()
      ).numUpdatedRows
    assert.equal(await settle(lost?.leased_until), 0n)
    assert.equal(await settle(held?.leased_until), 1n)
  })

  test('made by many at once give each row to one', async () => {
    await dueAt(...Array.from({ length: 200 }, (_, i) => service.clock.now - i))
    const others = engine.name === 'postgres' ? [openStore(service.url), openStore(service.url)] : []
    const stores = [service.store, ...others]
    const claims: string[][] = []
    await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        for (let rows: Awaited<ReturnType<typeof claim>>; (rows = await claim(7, stores[i % stores.length])).length > 0; )
          claims.push(idsOf(rows))
      }),
    )
    const all = claims.flat()
    assert.equal(new Set(all).size, 200)
    assert.equal(all.length, 200, 'none twice')
    assert.ok(claims.every(rows => rows.length <= 7))
    for (const store of others) await store.close()
  })

  test('by lane take so many of each, longest due first, and none twice', async () => {
    const { now } = service.clock
    await dueAt(now, now - 1, now - 2, now - 3, now + 1)
    for (const [id, name] of [
      ['alr_0', 'a'],
      ['alr_1', 'a'],
      ['alr_2', 'b'],
      ['alr_3', 'a'],
      ['alr_4', 'b'],
    ] as const) {
      await service.store.write.updateTable('alerts').set({ name }).where('id', '=', id).execute()
    }
    const take = laneClaim(service.store, queue, 'name')
    const taken = async (...lanes: ReadonlyArray<readonly [name: string, places: number]>) => {
      const rows = await service.store.transaction(trx =>
        take(
          trx,
          lanes.map(([name, places]) => ({ name, places })),
          { now, leaseMs: 1_000 },
        ),
      )
      assert.ok(rows.every(row => row.leased_until === now + 1_000))
      return idsOf(rows)
    }
    assert.deepEqual(await taken(), [])
    assert.deepEqual(await taken(['a', 2], ['b', 5], ['c', 5]), ['alr_1', 'alr_2', 'alr_3'])
    assert.deepEqual(await taken(['b', 5]), [])
    assert.deepEqual(await taken(['b', 5], ['a', 5]), ['alr_0'])
    const many = await Promise.all(Array.from({ length: 8 }, () => taken(['a', 1], ['b', 1])))
    assert.deepEqual(many.flat(), [])
  })
})
