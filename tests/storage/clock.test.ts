/** The time that all processes of a database share, whatever the clock of one of them says. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { openClock } from '../../storage/installation/clock.ts'
import type { Store } from '../../storage/store.ts'
import { onEachEngine } from '../support/engines.ts'

const MINUTE = 60_000

onEachEngine('the clock', engine => {
  let store: Store
  let drop: () => Promise<void>
  before(async () => {
    ;({ store, drop } = await engine.create())
  })
  after(() => drop())

  if (engine.name === 'postgres')
    for (const wrong of [-5 * MINUTE, 5 * MINUTE])
      test(`is that of the database where the one of the process is ${wrong / MINUTE} minutes off`, async t => {
        const real = Date.now
        t.mock.method(Date, 'now', () => real() + wrong)
        const clock = await openClock(store)
        const before = clock.now()
        const { rows } = await sql<{ at: number }>`select extract(epoch from clock_timestamp()) * 1000 as at`.execute(store.read)
        const [at = 0, later] = [rows[0]?.at, clock.now()]
        assert.ok(before - 1_000 < at && at < later + 1_000, `${before} ${at} ${later}`)
        assert.ok(Number.isInteger(before) && before <= later)
        clock.close()
      })
  else
    test('is that of the machine', async t => {
      t.mock.method(Date, 'now', () => 1_234)
      const clock = await openClock(store)
      assert.equal(clock.now(), 1_234)
      clock.close()
    })
})
