/** Rolling up old results changes no figures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { availabilityOf } from '../../../operations/reports/availability/availability.ts'
import { type Range, rangeNames, ranges, responseTimes } from '../../../operations/watch/uptime/response-times.ts'
import { rollUp } from '../../../operations/watch/uptime/roll-up.ts'
import { onEachEngine } from '../../support/engines.ts'
import { addCheck } from '../../support/uptime.ts'
import { makeWorld, startService, type TestService } from '../../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const quiet = { signal: new AbortController().signal, progress: () => {} }

onEachEngine('old results', engine => {
  let service: TestService
  let workspace: string
  before(async () => {
    service = await startService(engine)
    workspace = (await makeWorld(service)).ids.workspace ?? ''
  })
  after(() => service.close())
  const db = () => service.store.write

  /** Inserts a result every `minutes`, back over `days`; every 37th failed. */
  async function fill(number: number, days: number, minutes: number): Promise<number> {
    const rows = []
    for (let i = 0, at = service.clock.now; at > service.clock.now - days * DAY; at -= minutes * 60_000, i++) {
      const ok = i % 37 !== 0
      rows.push({
        check_number: number,
        location: i % 2 === 0 ? 'local' : 'fra1',
        span: 0,
        at,
        probes: 1,
        failures: Number(!ok),
        timed: Number(ok),
        total_ms: ok ? 20 + (i % 100) : 0,
      })
    }
    for (let i = 0; i < rows.length; i += 1_000)
      await db()
        .insertInto('uptime_results')
        .values(rows.slice(i, i + 1_000))
        .execute()
    return rows.length
  }
  const counted = async (number: number) =>
    db()
      .selectFrom('uptime_results')
      .where('check_number', '=', number)
      .select(({ fn }) => [
        fn.countAll<number>().as('rows'),
        fn.sum<number>('probes').as('probes'),
        fn.sum<number>('failures').as('failures'),
      ])
      .executeTakeFirstOrThrow()

  test('two runs at once, of which one was overtaken, sum up each result once', async () => {
    const { number } = await addCheck(db(), service.clock.now - 30 * DAY, { workspace_id: workspace })
    await fill(number, 10, 1)
    const before = await counted(number)
    await Promise.all([1, 2, 3].map(() => rollUp(service.store, service.clock.now, quiet)))
    const { probes, failures } = await counted(number)
    assert.deepEqual([probes, failures], [before.probes, before.failures])
  })

  test('a month of results every 5 minutes shrinks, no probe is lost, and every range reads the same', async () => {
    const { number } = await addCheck(db(), service.clock.now - 30 * DAY, { workspace_id: workspace })
    const made = await fill(number, 30, 5)
    const before = await counted(number)
    const read = async () =>
      Object.fromEntries(
        await Promise.all(
          rangeNames.map(
            async (range: Range) => [range, await responseTimes(db(), { checkNumber: number, range, now: service.clock.now })] as const,
          ),
        ),
      )
    const asked = await read()
    await rollUp(service.store, service.clock.now, quiet)
    const after = await counted(number)
    assert.deepEqual([after.probes, after.failures], [before.probes, before.failures])
    assert.equal(before.rows, made)
    assert.ok(after.rows < 1_000, `${made} rows became ${after.rows}`)
    assert.deepEqual(await read(), asked)
    assert.ok(asked['30d']?.series.local?.some(ms => ms !== null))
  })

  test('run as time goes by or all at once, it comes to the same', async () => {
    const [often, once] = [await addCheck(db(), 0, { workspace_id: workspace }), await addCheck(db(), 0, { workspace_id: workspace })]
    const start = service.clock.now
    await fill(often.number, 3, 7)
    for (let hours = 0; hours < 240; hours += 5) await rollUp(service.store, start + hours * HOUR, quiet)
    await fill(once.number, 3, 7)
    await rollUp(service.store, start + 235 * HOUR, quiet)
    const rows = async ({ number }: { number: number }) =>
      db()
        .selectFrom('uptime_results')
        .select(['location', 'span', 'at', 'probes', 'timed', 'total_ms'])
        .where('check_number', '=', number)
        .orderBy('location')
        .orderBy('at')
        .execute()
    assert.deepEqual(await rows(often), await rows(once))
    assert.deepEqual([...new Set((await rows(often)).map(({ span }) => span))], [6 * HOUR])
  })

  test('again changes nothing, and what is older than the longest range ends', async () => {
    const { number } = await addCheck(db(), 0, { workspace_id: workspace })
    await db()
      .insertInto('uptime_results')
      .values(
        [32, 30.9, 1].map(days => ({
          check_number: number,
          location: 'local',
          span: 0,
          at: service.clock.now - days * DAY,
          probes: 1,
          failures: 0,
          timed: 1,
          total_ms: 10,
        })),
      )
      .execute()
    await rollUp(service.store, service.clock.now, quiet)
    const first = await counted(number)
    assert.equal(first.probes, 2)
    await rollUp(service.store, service.clock.now, quiet)
    assert.deepEqual(await counted(number), first)
  })

  test('a result that came late joins the sum that was made already', async () => {
    const { number } = await addCheck(db(), 0, { workspace_id: workspace })
    const late = (at: number) =>
      db()
        .insertInto('uptime_results')
        .values({
          check_number: number,
          location: 'local',
          span: 0,
          at: service.clock.now - 3 * HOUR + at,
          probes: 1,
          failures: 0,
          timed: 1,
          total_ms: 10,
        })
        .execute()
    for (const at of [0, 1, 2]) {
      await late(at)
      await rollUp(service.store, service.clock.now, quiet)
    }
    const { rows, probes } = await counted(number)
    assert.deepEqual([rows, probes], [1, 3])
  })

  test('periods that no availability asks for end, and no percentage changes', async () => {
    const { number } = await addCheck(db(), service.clock.now - 60 * DAY, { workspace_id: workspace, status: 'up' })
    for (const [days, status] of [
      [50, 'down'],
      [40, 'up'],
      [31, 'down'],
      [29, 'up'],
      [10, 'down'],
      [9.9, 'up'],
    ] as const) {
      await db()
        .insertInto('uptime_periods')
        .values({ check_number: number, started_at: service.clock.now - days * DAY, status })
        .execute()
    }
    const before = await availabilityOf(db(), { number }, service.clock.now)
    await rollUp(service.store, service.clock.now, quiet)
    assert.deepEqual(await availabilityOf(db(), { number }, service.clock.now), before)
    const left = await db()
      .selectFrom('uptime_periods')
      .select('started_at')
      .where('check_number', '=', number)
      .orderBy('started_at')
      .execute()
    assert.deepEqual(
      left.map(({ started_at }) => (service.clock.now - started_at) / DAY),
      [31, 29, 10, 9.9],
    )
  })

  test('stored sums are as fine as the shown ones', () => {
    assert.deepEqual(
      Object.values(ranges).map(({ bucket, count }) => (bucket * count) / HOUR),
      [24, 168, 720],
    )
  })
})
