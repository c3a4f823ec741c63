/** Writers that fill days: they remember visitors from batch to batch, and are not the only ones that change a day. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openBulk } from '../../storage/hits/bulk-hits.ts'
import { openStore } from '../../storage/store.ts'
import { wakingStore } from '../../runtime/tasks/wake.ts'
import type { NewHit } from '../../storage/hits/new-hit.ts'
import { raiseRevision } from '../../storage/hits/days.ts'
import { chanceOf, randomBytes } from '../support/chance.ts'
import { onEachEngine } from '../support/engines.ts'
import { DAY, event, hit, HOUR, MIDNIGHT, MINUTE } from './new-hits.ts'
import { storedVisits } from './stored-hits.ts'

const chance = chanceOf('bulk')
const now = MIDNIGHT + 40 * DAY
const nothing = async () => {}

/** Hits of few visitors around some midnights, in no order. */
const randomHits = (count: number): NewHit[] =>
  Array.from({ length: count }, () => {
    const visitor = `v${chance.int(0, 5)}`
    const at = MIDNIGHT + chance.int(-1, 2) * DAY + chance.int(-3, 20) * 10 * MINUTE + chance.int(0, 59_999)
    const page = `/${chance.int(0, 4)}`
    const visit = { source: `s${chance.int(0, 3)}`, country: 'DE' }
    const kind = chance.int(0, 5)
    if (kind === 0) return event('buy', { visitor, at, page, visit, revenue: 5 })
    return hit({ visitor, at, page, visit, ...(kind === 1 && { kind: 'engagement', engagedMs: 700, scroll: 40 }) })
  })

onEachEngine('a writer that fills days', engine => {
  test('stores what writers store that know nothing of the batches before, whatever else changes the days', async () => {
    const { store, drop } = await engine.create()
    const open = () => openBulk(store, { now: () => now, randomBytes })
    const writers = [open(), open()]
    const [ours, others] = [1, 2]
    for (let i = 0; i < 40; i++) {
      const hits = randomHits(chance.int(1, 12))
      const writer = writers[chance.int(0, 4) === 0 ? 1 : 0] ?? open()
      const of = (site: number) => hits.map(each => ({ ...each, site }))
      const stored = (await writer(of(ours), nothing)).map(outcome => outcome.stored)
      assert.deepEqual(
        stored,
        (await open()(of(others), nothing)).map(outcome => outcome.stored),
      )
      // As an erasure does: of both sites, and the writers hear of it only by the revision of the day.
      if (i % 10 === 9) {
        for (const site of [ours, others]) {
          const { day } = await store.read
            .selectFrom('site_days')
            .select(({ fn }) => fn.max<number>('day').as('day'))
            .where('site_id', '=', site)
            .executeTakeFirstOrThrow()
          await store.transaction(async trx => {
            for (const table of ['hits', 'hit_props', 'visits'] as const)
              await trx.deleteFrom(table).where('site_id', '=', site).where('day', '=', day).execute()
            await raiseRevision(trx, { site, day })
          })
        }
      }
      if (i % 10 === 4) assert.deepEqual(await storedVisits(store, ours), await storedVisits(store, others))
    }
    const visits = await storedVisits(store, ours)
    assert.deepEqual(visits, await storedVisits(store, others))
    assert.ok(visits.length > 10)
    await drop()
  })

  test('begins again where a batch failed: nothing of it is remembered', async () => {
    const { store, drop } = await engine.create()
    const put = openBulk(store, { now: () => now, randomBytes })
    const at = MIDNIGHT + HOUR
    await put([hit({ at, page: '/a' })], nothing)
    const failing = put([hit({ at: at + MINUTE, page: '/b' })], async () => {
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    await put([hit({ at: at + 2 * MINUTE, page: '/c' })], nothing)
    const [[visit] = []] = await storedVisits(store, 1)
    assert.deepEqual([visit?.pageviews, visit?.exitPage, visit?.hits.map(({ page }) => page)], [2, '/c', ['/a', '/c']])
    await drop()
  })

  test('does not wait for the disk, and leaves its connection as other writers need it', async () => {
    const { store: made, drop } = await engine.create()
    const isSqlite = engine.name === 'sqlite'
    // The servers of tests never wait.
    const options = `${made.url.includes('?') ? '&' : '?'}options=-c%20synchronous_commit%3Don`
    const store = wakingStore(openStore(isSqlite ? made.url : made.url + options), () => {}) // the store of tasks
    const setting = isSqlite ? 'pragma synchronous' : 'show synchronous_commit'
    const waits = async (db = store.write) => Object.values((await sql.raw<Record<string, unknown>>(setting).execute(db)).rows[0] ?? {})[0]
    const usual = await waits()
    const during: unknown[] = []
    await openBulk(store, { now: () => now, randomBytes })([hit()], async trx => {
      during.push(await waits(trx))
    })
    const failing = store.transaction(() => Promise.reject(new Error('no')), { mayBeLost: true })
    await assert.rejects(failing, /no/)
    assert.deepEqual([usual, during, await waits()], isSqlite ? [2, [1], 2] : ['on', ['off'], 'on'])
    await store.transaction(async trx => assert.equal(await waits(trx), usual))
    await store.close()
    await drop()
  })
})
