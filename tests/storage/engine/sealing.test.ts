/** Sealed days: columns are restored unchanged, and segments are written completely or not at all. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from '../../support/properties.ts'
import { columnOf, decode, encode, sharesMemory } from '../../../storage/engine/columns/column.ts'
import { columnNumbers, FORMAT } from '../../../storage/engine/days/sealed-columns.ts'
import { claimUnsealed, sealedTables, writeSealed } from '../../../storage/engine/days/segments.ts'
import { openLocal } from '../../../storage/engine/local.ts'
import { sealDays, type SealingOfDays } from '../../../storage/engine/seal-days.ts'
import { purgeSite } from '../../../storage/hits/retention.ts'
import { addSite, hit, store as keep } from './traffic.ts'
import { onEachEngine } from '../../support/engines.ts'

const numbers = fc.oneof(
  fc.array(fc.nat(255)),
  fc.array(fc.nat(70_000), { minLength: 100, maxLength: 400 }),
  fc.array(fc.nat(3), { minLength: 200, maxLength: 2_000 }),
  fc.array(fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 33, -5, 0.25, 1e300), { maxLength: 300 }),
  fc.nat(300).map(length => Array<number>(length).fill(0)),
)

test('a column comes back as it was, wherever its bytes lie', () => {
  fc.assert(
    fc.property(numbers, fc.nat(9), (list, offset) => {
      const blob = encode(columnOf(list))
      const elsewhere = new Uint8Array(blob.length + offset)
      elsewhere.set(blob, offset)
      const decoded = decode(elsewhere.subarray(offset))
      assert.deepEqual([...decoded], list)
      assert.equal(
        sharesMemory(decoded),
        list.every(n => n === 0),
      )
    }),
  )
})

test('repeated values take a fraction of the space, and others no more than their numbers', () => {
  assert.ok(encode(columnOf(Array.from({ length: 10_000 }, (_, i) => i % 3))).length < 500)
  assert.equal(encode(columnOf(Array<number>(10_000).fill(0))).length, 8)
  const noise = Array.from({ length: 10_000 }, (_, i) => (i * 2654435761) % 256)
  assert.ok(encode(columnOf(noise)).length <= 10_008)
})

test('a column that was cut short is refused', () => {
  const blob = encode(columnOf([1, 2, 300]))
  assert.throws(() => decode(blob.subarray(0, 11)), /cut short/)
  assert.throws(() => decode(Uint8Array.of(3, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3)), /3 bytes wide/)
})

test('the columns of sealed days match their format', () => {
  const numbers = createHash('sha256').update(JSON.stringify(columnNumbers)).digest('hex').slice(0, 12)
  const known: Readonly<Record<number, string>> = {
    2: '4df0d332c31f',
    3: '520abe8886ce',
    4: '8d51092175bf',
    5: '8d51092175bf',
    7: '1743a9af6b2a',
    9: '90321a48ddbc',
  }
  assert.equal(known[FORMAT], numbers, 'a column came: raise FORMAT, call sealAgain in a migration, and write it down here')
})

onEachEngine('sealed days', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  before(async () => {
    database = await engine.create()
  })
  after(() => database.drop())

  const day = Date.parse('2026-05-05') / 86_400_000
  const sealing = (more: Partial<SealingOfDays> = {}): SealingOfDays => ({
    store: database.store,
    sealed: openLocal(database.store, { cacheBytes: 1_000_000 }).sealed,
    now: () => Date.parse('2026-05-06T01:00Z'),
    signal: new AbortController().signal,
    minVisitors: 0,
    failed: (_, error) => {
      throw error
    },
    ...more,
  })
  const rowsOf = async (site: number) =>
    Promise.all(
      sealedTables.map(
        async table => (await database.store.read.selectFrom(table).select('day').where('site_id', '=', site).execute()).length,
      ),
    )
  const siteWithHits = async (visitors = 3) => {
    const site = await addSite(database.store, 'UTC')
    await keep(
      database.store,
      Array.from({ length: visitors }, (_, i) => hit(site, { at: Date.parse('2026-05-05T12:00Z') + i, who: `v${i}` })),
    )
    return site
  }
  const due = (site: number) =>
    database.store.read.selectFrom('site_days').select('day').whereRef('rev', '<>', 'sealed_rev').where('site_id', '=', site).execute()

  test('a day is due when it has been over for a quarter of an hour, and again after each change', async () => {
    const site = await siteWithHits()
    await sealDays(sealing({ now: () => Date.parse('2026-05-06T00:14:59Z') }))
    assert.equal((await due(site.number)).length, 1)
    await sealDays(sealing({ now: () => Date.parse('2026-05-06T00:15Z') }))
    assert.equal((await due(site.number)).length, 0)
    await keep(database.store, [hit(site, { at: Date.parse('2026-05-05T20:00Z'), who: 'late' })])
    assert.equal((await due(site.number)).length, 1)
    await sealDays(sealing())
    assert.equal((await due(site.number)).length, 0)
    assert.equal((await rowsOf(site.number))[2], 1, 'one segment, the last')
  })

  test('a day that changes while its columns are built is not sealed', async () => {
    const site = await siteWithHits()
    const { sealed } = sealing()
    await sealDays(
      sealing({
        async sealed(number, of, ...more) {
          const built = await sealed(number, of, ...more)
          if (number === site.number) await keep(database.store, [hit(site, { at: Date.parse('2026-05-05T20:00Z'), who: 'late' })])
          return built
        },
      }),
    )
    assert.deepEqual(await rowsOf(site.number), [0, 0, 0])
    assert.equal((await due(site.number)).length, 1)
  })

  test('a day of few visitors stays rows, and is not looked at again', async () => {
    const site = await siteWithHits()
    await sealDays(sealing({ minVisitors: 5 }))
    assert.deepEqual([await rowsOf(site.number), (await due(site.number)).length], [[0, 0, 0], 0])
  })

  test('a day that cannot be sealed keeps no other from it', async () => {
    const [first, second] = [await siteWithHits(), await siteWithHits()]
    const { sealed } = sealing()
    const failures: unknown[] = []
    await sealDays(
      sealing({
        sealed: (site, of, ...more) => (site === first.number ? Promise.reject(new Error('unreadable')) : sealed(site, of, ...more)),
        failed: (_, error) => {
          failures.push(error)
        },
      }),
    )
    assert.equal(failures.length, 1)
    assert.deepEqual([(await rowsOf(first.number))[2], (await rowsOf(second.number))[2]], [0, 1])
  })

  test('several workers seal at a time, each its own days; those of a killed one are sealed when its claim ends', async () => {
    const sites: number[] = []
    for (let i = 0; i < 30; i++) sites.push((await siteWithHits(1)).number)
    const at = sealing().now()
    const claim = (now: number) => claimUnsealed(database.store, { endedBefore: at, now, until: now + 120_000, limit: 4 })
    const killed = await claim(at)
    assert.equal(killed.length, 4)
    const built: number[] = []
    const worker = () => {
      const { sealed } = sealing()
      return sealDays(
        sealing({
          async sealed(site, of, ...more) {
            built.push(site)
            return sealed(site, of, ...more)
          },
        }),
      )
    }
    await Promise.all([worker(), worker(), worker()])
    const ofKilled = new Set(killed.map(({ site }) => site))
    assert.deepEqual(
      built.toSorted((a, b) => a - b),
      sites.filter(site => !ofKilled.has(site)),
      'none twice',
    )
    await sealDays(sealing({ now: () => at + 121_000 }))
    for (const site of sites) assert.equal((await due(site)).length, 0)
  })

  test('nothing is left of a site that was deleted', async () => {
    const site = await siteWithHits()
    await sealDays(sealing())
    assert.ok((await rowsOf(site.number)).every(rows => rows > 0))
    while (!(await purgeSite(database.store, { site: site.number, limit: 10 })));
    assert.deepEqual(await rowsOf(site.number), [0, 0, 0])
  })

  test('a write at a rev that is past does nothing', async () => {
    const site = await siteWithHits()
    const built = await sealing().sealed(site.number, day)
    assert.ok(built?.sealed)
    const past = { site: site.number, day, rev: built.rev - 1, visitors: 3 }
    assert.equal(await writeSealed(database.store, { unsealed: past, format: 1, sealed: built.sealed }), false)
    assert.deepEqual(await rowsOf(site.number), [0, 0, 0])
  })
})
