/** Days whose visits are being deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowTables } from '../../../storage/moved-days/moving.ts'
import { readDays } from '../../../storage/engine/days/read-days.ts'
import { siteDays } from '../../../storage/engine/days/site-days.ts'
import { openLocal } from '../../../storage/engine/local.ts'
import { openBulk } from '../../../storage/hits/bulk-hits.ts'
import { expiredDays, expireVisits } from '../../../storage/hits/expiry.ts'
import { randomBytes } from '../../support/chance.ts'
import { onEachEngine } from '../../support/engines.ts'
import { DAY, event, hit, HOUR, MIDNIGHT, MINUTE } from '../new-hits.ts'

onEachEngine('days that expire', engine => {
  test('a visit with more hits than may be deleted at once goes in parts, and every part is a day that can be read', async () => {
    const { store, drop } = await engine.create()
    const put = openBulk(store, { now: () => MIDNIGHT, randomBytes })
    const from = MIDNIGHT - 50 * DAY + HOUR
    await put(
      [
        hit({ at: from, visitor: 'first' }),
        ...Array.from({ length: 50 }, (_, i) =>
          event(`e${i % 3}`, {
            visitor: 'busy',
            at: from + i * MINUTE,
            props: [['k', `${i % 4}`, null], ...(i % 2 ? [['l', '1', 1] as const] : [])],
          }),
        ),
        hit({ at: from + HOUR, visitor: 'last' }),
      ],
      async () => {},
    )
    const [old = 0] = await expiredDays(store, 1, 20_777 - 30)
    const engineOf = openLocal(store, { cacheBytes: 1e6 })
    const left: (number | undefined)[] = []
    for (let isGone = false; !isGone; ) {
      isGone = await expireVisits(store, { site: 1, day: old, limit: 7 })
      const [siteDay] = await siteDays(store.read, 1, old, old)
      const [day] = siteDay ? await readDays(store.read, { cluster: store.cluster, site: 1, days: [siteDay] }) : []
      const hits = day?.hits.count ?? 0
      assert.equal((await engineOf.sealed(1, old))?.rev, siteDay?.rev)
      left.push(hits)
    }
    assert.deepEqual(left.at(-1), 0)
    assert.ok(left.length >= 52 / 7 && left.length <= 12, left.join(' '))
    for (const table of rowTables) assert.deepEqual(await store.read.selectFrom(table).select('day').execute(), [], table)
    await drop()
  })

  test('a day that a purge has deleted before is empty', async () => {
    const { store, drop } = await engine.create()
    assert.equal(await expireVisits(store, { site: 1, day: 20_000, limit: 10 }), true)
    await drop()
  })
})
