/** Planned maintenance: by the clock, without incidents and messages of checks, and outside of availability. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { availabilityOf } from '../../../operations/reports/availability/index.ts'
import { recordResults } from '../../../operations/watch/uptime/record-results.ts'
import { recentDays } from '../../../operations/watch/uptime/index.ts'
import { rollUp } from '../../../operations/watch/uptime/roll-up.ts'
import { makeId } from '../../../runtime/values/ids.ts'
import { randomBytes } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { addCheck } from '../../support/uptime.ts'
import { DAY, HOUR, makePage, MINUTE, type Shown, shownOf, startTelling, type Telling } from './telling.ts'

onAnyEngine('maintenance', engine => {
  let telling: Telling
  before(async () => {
    telling = await startTelling(engine)
  })
  after(() => telling.close())
  const call = (...given: Parameters<Telling['watching']['call']>) => telling.watching.call(...given)
  const clock = () => telling.watching.service.clock
  const store = () => telling.watching.service.store
  const iso = (at: number) => new Date(at).toISOString()

  /** A probe each minute of so many minutes; the last one is now. */
  async function probe(numbers: readonly number[], ok: boolean, minutes: number): Promise<void> {
    const { app } = telling.watching.service
    for (let i = 0; i < minutes; i++) {
      clock().now += MINUTE
      const now = clock().now
      await store().transaction(db =>
        recordResults(db, {
          dialect: store().dialect,
          recording: { now, emit: app.emitIn(db, now), newId: kind => makeId(kind, now, randomBytes(14)) },
          results: numbers.map(checkNumber => ({
            checkNumber,
            at: now,
            location: 'local',
            ok,
            error: ok ? null : 'timeout',
            ms: ok ? 50 : null,
          })),
        }),
      )
    }
  }
  const plan = async ({ world, page, checks }: Shown, startsAt: number, endsAt: number, more: object = {}) => {
    const { status, text, body } = await call(world, 'POST', `/status_pages/${page}/incidents`, {
      kind: 'maintenance',
      title: 'Database move',
      check_ids: checks.map(({ id }) => id),
      starts_at: iso(startsAt),
      ends_at: iso(endsAt),
      ...more,
    })
    assert.equal(status, 201, text)
    return body.data
  }
  const outages = async ({ checks }: Shown) =>
    (
      await store()
        .read.selectFrom('uptime_incidents')
        .selectAll()
        .where(
          'check_number',
          'in',
          checks.map(({ number }) => number),
        )
        .orderBy('started_at')
        .execute()
    ).map(({ started_at, resolved_at }) => [started_at, resolved_at])

  test('maintenance starts and ends to the millisecond for readers, and is announced on time', async () => {
    const shown = await makePage(telling)
    const [starts, ends] = [clock().now + HOUR, clock().now + 2 * HOUR]
    const { id, status } = await plan(shown, starts, ends)
    assert.equal(status, 'scheduled')
    const read = async () => {
      const { status, maintenance } = await shownOf(telling, shown)
      return [status, maintenance[0]?.status]
    }
    clock().now = starts - 1
    assert.deepEqual(await read(), ['operational', 'scheduled'])
    clock().now = starts
    assert.deepEqual(await read(), ['under_maintenance', 'in_progress'])
    await telling.watching.run(['status_incidents_watch'])
    await telling.watching.run(['status_incidents_watch'])
    clock().now = ends - 1
    assert.deepEqual(await read(), ['under_maintenance', 'in_progress'])
    clock().now = ends
    assert.deepEqual(await read(), ['operational', undefined])
    await telling.watching.run(['status_incidents_watch'])
    const { body } = await call(shown.world, 'GET', `/status_pages/${shown.page}/incidents/${id}`)
    assert.deepEqual(
      body.data.updates.map((update: any) => update.status),
      ['completed', 'in_progress', 'scheduled'],
    )
    const again = await call(shown.world, 'POST', `/status_pages/${shown.page}/incidents/${id}/updates`, { status: 'in_progress' })
    assert.equal(again.body.error.code, 'invalid_state')
  })

  test('maintenance that passed while the service was off is completed at once, with one update', async () => {
    const shown = await makePage(telling)
    const { id } = await plan(shown, clock().now + HOUR, clock().now + 2 * HOUR)
    clock().now += 3 * HOUR
    await telling.watching.run(['status_incidents_watch'])
    const { body } = await call(shown.world, 'GET', `/status_pages/${shown.page}/incidents/${id}`)
    assert.deepEqual(
      body.data.updates.map((update: any) => update.status),
      ['completed', 'scheduled'],
    )
  })

  test('keeps a check that goes down from incidents, events, alerts and channels; if it stays down they follow', async () => {
    const shown = await makePage(telling)
    const { world, checks } = shown
    const [check] = checks
    assert.ok(check)
    const alert = { name: 'Down', kind: 'uptime', site_id: '{{site}}', uptime_check_id: check.id, channel_ids: ['{{channel}}'] }
    assert.equal((await call(world, 'POST', '/workspaces/{{workspace}}/alerts', alert)).status, 201)
    await probe([check.number], true, 3)
    const ends = clock().now + 30 * MINUTE
    await plan(shown, clock().now, ends)
    await telling.watching.announcements(world)
    await probe([check.number], false, 10)
    await telling.watching.run()
    assert.deepEqual(await outages(shown), [])
    assert.deepEqual(await telling.watching.announcements(world), { events: [], messages: [] })
    assert.equal((await call(world, 'GET', `/uptime/checks/${check.id}`)).body.data.status, 'down', 'it is watched all the same')
    await probe([check.number], false, 19)
    assert.deepEqual(await outages(shown), [])
    await probe([check.number], false, 2)
    await telling.watching.pass(MINUTE)
    assert.deepEqual(await outages(shown), [[ends, null]])
    assert.deepEqual(await telling.watching.announcements(world), {
      events: ['uptime.down', 'alert.triggered'],
      messages: ['alert.triggered'],
    })
    await probe([check.number], true, 3)
    await telling.watching.pass(MINUTE)
    assert.deepEqual((await telling.watching.announcements(world)).events, ['uptime.up', 'alert.resolved'])
  })

  test('leaves an outage that was there before it open, and the alert with it', async () => {
    const shown = await makePage(telling)
    const { world, checks } = shown
    const [check] = checks
    assert.ok(check)
    await probe([check.number], false, 4)
    assert.equal((await outages(shown)).length, 1)
    await plan(shown, clock().now, clock().now + HOUR)
    await probe([check.number], false, 2)
    assert.equal((await outages(shown)).length, 1)
    await probe([check.number], true, 2)
    assert.equal((await outages(shown)).filter(([, resolved]) => resolved === null).length, 0)
    assert.ok(world)
  })

  test('counts in no availability, and nothing that was counted before is taken back', async () => {
    const shown = await makePage(telling)
    const [check] = shown.checks
    assert.ok(check)
    await probe([check.number], true, 30)
    await probe([check.number], false, 30)
    const before = (await availabilityOf(store().read, check, clock().now))['24h']
    assert.ok(before !== null && before < 60, String(before))
    await plan(shown, clock().now - 30 * MINUTE, clock().now + HOUR)
    assert.equal((await availabilityOf(store().read, check, clock().now))['24h'], before)
    await probe([check.number], false, 60)
    assert.equal((await availabilityOf(store().read, check, clock().now))['24h'], before)
    await probe([check.number], false, 10)
    const later = (await availabilityOf(store().read, check, clock().now))['24h']
    assert.ok(later !== null && later < before)
  })

  test('that is moved, cut short or deleted covers what it then says', async () => {
    const shown = await makePage(telling)
    const { world, page, checks } = shown
    const windows = async () =>
      (
        await store()
          .read.selectFrom('uptime_maintenance')
          .selectAll()
          .where('check_number', '=', checks[0]?.number ?? 0)
          .orderBy('starts_at')
          .execute()
      ).map(({ starts_at, ends_at }) => [starts_at, ends_at])
    const start = clock().now + HOUR
    const { id } = await plan(shown, start, start + HOUR)
    assert.deepEqual(await windows(), [[start, start + HOUR]])
    const path = `/status_pages/${page}/incidents/${id}`
    await call(world, 'PATCH', path, { starts_at: iso(start + HOUR), ends_at: iso(start + 2 * HOUR) })
    assert.deepEqual(await windows(), [[start + HOUR, start + 2 * HOUR]])
    clock().now = start + HOUR + 5 * MINUTE
    const cut = clock().now
    assert.equal((await call(world, 'POST', `${path}/updates`, { status: 'completed' })).body.data.ends_at, iso(cut))
    assert.deepEqual(await windows(), [[start + HOUR, cut]])
    const later = await plan(shown, cut + HOUR, cut + 2 * HOUR)
    await call(world, 'DELETE', `/status_pages/${page}/incidents/${later.id}`)
    assert.deepEqual(await windows(), [[start + HOUR, cut]])
    const cancelled = await plan(shown, cut + HOUR, cut + 2 * HOUR)
    await call(world, 'POST', `/status_pages/${page}/incidents/${cancelled.id}/updates`, { status: 'completed', body: 'Called off.' })
    assert.deepEqual(await windows(), [[start + HOUR, cut]])
    const last = await plan(shown, cut + HOUR, cut + 2 * HOUR)
    assert.equal((await windows()).length, 2)
    await call(world, 'DELETE', `/workspaces/{{workspace}}/status_pages/${page}`)
    assert.deepEqual(await windows(), [[start + HOUR, cut]], last.id)
  })

  test('days are summed up once they are over, and read the same before and after', async () => {
    const { world } = await makePage(telling, 0)
    const now = Math.floor(clock().now / DAY) * DAY + 10 * HOUR
    clock().now = now
    const check = await addCheck(store().write, now - 5 * DAY, { workspace_id: world.ids.workspace ?? '', status: 'up' })
    await store()
      .write.insertInto('uptime_periods')
      .values([
        { check_number: check.number, started_at: now - 2 * DAY, status: 'down' },
        { check_number: check.number, started_at: now - 2 * DAY + HOUR, status: 'up' },
      ])
      .execute()
    await store()
      .write.insertInto('uptime_maintenance')
      .values({ planned_by: 'sti_x', check_number: check.number, starts_at: now - DAY, ends_at: now - DAY + HOUR })
      .execute()
    const read = async () => (await recentDays(store().read, [check.number], clock().now)).get(check.number)
    const before = await read()
    assert.deepEqual(
      before?.map(({ up_ms, down_ms }) => [up_ms / HOUR, down_ms / HOUR]),
      [
        [14, 0],
        [24, 0],
        [24, 0],
        [23, 1],
        [23, 0],
        [10, 0],
      ],
    )
    const quiet = { signal: new AbortController().signal, progress: () => {} }
    await rollUp(store(), clock().now, quiet)
    await rollUp(store(), clock().now, quiet)
    assert.deepEqual(await read(), before)
    const rows = await store().read.selectFrom('uptime_days').selectAll().where('check_number', '=', check.number).execute()
    assert.equal(rows.length, 5)
    clock().now += 60 * DAY
    await rollUp(store(), clock().now, quiet)
    assert.equal((await read())?.length, 66, 'also where periods are gone')
    clock().now += 40 * DAY
    await rollUp(store(), clock().now, quiet)
    assert.equal((await read())?.length, 90)
  })
})
