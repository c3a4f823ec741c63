/** An event without a name: later hits of the same name are not deleted with it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventEraser, takeName, visitWith } from '../../storage/hits/erase-event.ts'
import { openHitStore } from '../../storage/hits/hit-store.ts'
import { randomBytes } from '../support/chance.ts'
import { onEachEngine } from '../support/engines.ts'
import { event, hit, MIDNIGHT, MINUTE } from './new-hits.ts'
import { storedVisits } from './stored-hits.ts'

onEachEngine('an event that is taken away', engine => {
  test('is another one for every process that knew it', async () => {
    const { store, drop } = await engine.create()
    const processes = [1, 2].map(() => openHitStore(store, { now: () => MIDNIGHT + 60 * MINUTE, randomBytes }))
    const send = (minute: number) =>
      Promise.all(
        processes.map((one, i) =>
          one.append([event('junk', { at: MIDNIGHT + minute * MINUTE, visitor: `v${minute}-${i}`, props: [['k', 'v', null]] })]),
        ),
      )
    await send(1)
    const id = await store.transaction(async trx => {
      await store.dialect.lockSites(trx, [1])
      return takeName(trx, 1, 'junk')
    })
    assert.ok(id !== null)
    await send(2)
    const { day } = await store.read.selectFrom('site_days').select('day').executeTakeFirstOrThrow()
    const of = { site: 1, day, event: id }
    assert.notEqual(await visitWith(store, of, 0), undefined)
    const erase = () => store.transaction(trx => eventEraser(store)(trx, of, { limit: 1 }))
    assert.deepEqual([await erase(), await erase(), await erase()], [1, 1, 0])
    assert.equal(await visitWith(store, of, 0), undefined)
    const left = (await storedVisits(store, 1)).flat()
    assert.deepEqual(
      left.map(visit => [visit.startedAt, visit.hits.map(one => one.event)]),
      [
        [MIDNIGHT + 2 * MINUTE, ['junk']],
        [MIDNIGHT + 2 * MINUTE, ['junk']],
      ],
    )
    for (const one of processes) await one.close()
    await drop()
  })

  test('that never came has no name to lose; one that came again loses it again', async () => {
    const { store, drop } = await engine.create()
    const hits = openHitStore(store, { now: () => MIDNIGHT + 60 * MINUTE, randomBytes })
    const take = (name: string) =>
      store.transaction(async trx => {
        await store.dialect.lockSites(trx, [1])
        return takeName(trx, 1, name)
      })
    assert.equal(await take('junk'), null)
    await hits.append([
      hit({ at: MIDNIGHT + MINUTE }),
      event('junk', { at: MIDNIGHT + 2 * MINUTE }),
      event('kept', { at: MIDNIGHT + 3 * MINUTE }),
    ])
    const first = await take('junk')
    const second = await take('junk')
    assert.ok(first !== null && second !== null && second > first)
    await hits.append([event('junk', { at: MIDNIGHT + 4 * MINUTE }), event('new', { at: MIDNIGHT + 5 * MINUTE })])
    const ids = (await store.read.selectFrom('hits').select('event').orderBy('at').execute()).map(row => row.event)
    assert.equal(new Set(ids).size, 5, 'none of them shares an id')
    await hits.close()
    await drop()
  })
})
