/** The prober's task: real targets, a virtual clock, both engines, two workers. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { probeDue } from '../../../operations/watch/uptime/probing/probe-due.ts'
import { uptime_probe } from '../../../operations/watch/uptime/tasks.ts'
import { createApp } from '../../../runtime/create-app.ts'
import { createScheduler, type Scheduler } from '../../../runtime/tasks/scheduler.ts'
import { task } from '../../../runtime/table/task.ts'
import { openStore } from '../../../storage/store.ts'
import type { UptimeCheckRow } from '../../../storage/tables/index.ts'
import { engines, onAnyEngine } from '../../support/engines.ts'
import { isFull } from '../../support/full.ts'
import { addCheck } from '../../support/uptime.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { until } from '../../runtime/tasks/tasks.ts'
import { startTargets, type Targets } from './targets.ts'

let targets: Targets
before(async () => {
  targets = await startTargets()
})
after(() => targets.close())

const probing = () => task({ ...uptime_probe, run: context => probeDue(context, targets.guard) })

onAnyEngine('the prober', engine => {
  let service: TestService
  let scheduler: Scheduler
  let world: World
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    service.clock.now += 86_400_000
    await service.store.write.deleteFrom('uptime_checks').execute()
    await service.store.write.deleteFrom('events').execute()
    world = await makeSite(service)
    await service.store.write.deleteFrom('uptime_checks').execute()
    scheduler = createScheduler(service.app, [probing()])
    Object.assign(targets.page, { status: 200, body: 'Welcome', delayMs: 0 })
    targets.requests.length = 0
  })

  const check = (rest: Partial<Omit<UptimeCheckRow, 'number'>>) =>
    addCheck(service.store.write, service.clock.now, { workspace_id: world.ids.workspace ?? '', ...rest })
  const read = async ({ id }: { id: string }) => (await request(service, 'GET', `/uptime/checks/${id}`, { token: world.token })).body.data
  const row = ({ id }: { id: string }) =>
    service.store.read.selectFrom('uptime_checks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const iso = (at: number) => new Date(at).toISOString()
  /** Moves the clock to the check's next probe and runs it: a tick that comes at once waits for the task's next run. */
  const next = async (which: { id: string }) => {
    service.clock.now = Math.max((await row(which)).next_check_at ?? Number.NaN, service.clock.now + uptime_probe.every)
    await scheduler.runDue()
    return row(which)
  }

  test('probes what is due, every kind at once, and nothing else', async () => {
    const made = await Promise.all([
      check({ url: `${targets.http}/` }),
      check({ kind: 'keyword', url: `${targets.http}/`, keyword: 'Welcome' }),
      check({ url: targets.tls('valid') }),
      check({ kind: 'tcp', url: null, host: '127.0.0.1', port: targets.tcp.open }),
      check({ kind: 'dns', url: null, host: 'valid.test' }),
    ])
    const later = await check({ url: `${targets.http}/later`, next_check_at: service.clock.now + 1 })
    const paused = await check({ url: `${targets.http}/paused`, status: 'paused', next_check_at: null })
    await scheduler.runDue()
    for (const each of made) {
      const { status, last_checked_at, last_response_ms, next_check_at } = await read(each)
      assert.deepEqual([status, last_checked_at], ['up', iso(service.clock.now)])
      assert.ok(
        last_response_ms >= 0 && Date.parse(next_check_at) > service.clock.now && Date.parse(next_check_at) <= service.clock.now + 60_000,
      )
    }
    const secure = await read(made[2] ?? { id: '' })
    assert.deepEqual([secure.ssl_issuer, secure.ssl_expires_at > iso(Date.now())], ['Footfall Test CA', true])
    assert.equal((await read(made[0] ?? { id: '' })).ssl_issuer, null)
    for (const each of [later, paused]) assert.equal((await read(each)).last_checked_at, null)
    assert.equal(
      targets.requests.some(({ url }) => url === '/later' || url === '/paused'),
      false,
    )
  })

  test('fails, is confirmed twice after 30 s, goes down; recovers, is confirmed once, comes up', async () => {
    const page = await check({ url: `${targets.http}/switch`, interval_seconds: 300 })
    await scheduler.runDue()
    targets.page.status = 503
    const failed = await next(page)
    const began = service.clock.now
    assert.deepEqual([failed.status, (failed.next_check_at ?? 0) - began], ['up', 30_000])
    assert.equal((await next(page)).status, 'up')
    const down = await next(page)
    assert.deepEqual([down.status, service.clock.now - began], ['down', 60_000])
    assert.equal((down.next_check_at ?? 0) - began, 300_000, 'the tick has kept its time')
    targets.page.status = 200
    const recovering = await next(page)
    const recovered = service.clock.now
    assert.deepEqual([recovering.status, (recovering.next_check_at ?? 0) - recovered], ['down', 30_000])
    assert.equal((await next(page)).status, 'up')
    const { incidents, response_times, uptime } = await read(page)
    assert.deepEqual(incidents, [
      { started_at: iso(began), resolved_at: iso(recovered), duration_seconds: 300, cause: 'status_503', failed_locations: ['local'] },
    ])
    assert.deepEqual(Object.keys(response_times.series), ['local'])
    assert.ok(uptime['24h'] < 100)
    const events = await service.store.read.selectFrom('events').select(['type', 'workspace_id']).orderBy('created_at').execute()
    assert.deepEqual(
      events.map(({ type }) => type),
      ['uptime.down', 'uptime.up'],
    )
  })

  test('an invalid certificate is down, and what it says is kept', async () => {
    const secure = await check({ url: targets.tls('expired') })
    await scheduler.runDue()
    for (let i = 0; i < 2; i++) await next(secure)
    const { status, incidents, ssl_expires_at, ssl_issuer } = await read(secure)
    assert.deepEqual(
      [status, incidents[0].cause, ssl_issuer, ssl_expires_at < iso(Date.now())],
      ['down', 'tls_expired', 'Footfall Test CA', true],
    )
  })

  test('a target that hangs holds up no other', async () => {
    const slow = await check({ url: `${targets.http}/delay/30000`, timeout_seconds: 30 })
    const others = await Promise.all(Array.from({ length: 30 }, (_, i) => check({ url: `${targets.http}/?${i}` })))
    const running = scheduler.runDue()
    const done = () => service.store.read.selectFrom('uptime_checks').select('id').where('last_checked_at', 'is not', null).execute()
    await until(async () => (await done()).length === others.length)
    assert.equal((await row(slow)).last_checked_at, null)
    await scheduler.stop()
    await running
  })

  test('a task that becomes due during other tasks does not wait for them', async () => {
    const slow = await check({ url: `${targets.http}/delay/30000`, timeout_seconds: 30 })
    const soon = await check({ url: `${targets.http}/soon`, next_check_at: service.clock.now + 5_000 })
    const running = scheduler.runDue()
    await until(() => targets.requests.length === 1)
    service.clock.now += 5_000
    await until(async () => (await row(soon)).last_checked_at === service.clock.now)
    assert.equal((await row(slow)).last_checked_at, null)
    await scheduler.stop()
    await running
  })

  test('a check that is edited, paused or deleted while it is probed is not touched by what was seen', async () => {
    const targetsOfSlow = () => check({ url: `${targets.http}/delay/1500`, timeout_seconds: 30 })
    const [edited, paused, deleted] = [await targetsOfSlow(), await targetsOfSlow(), await targetsOfSlow()]
    const running = scheduler.runDue()
    await until(() => targets.requests.length === 3)
    service.clock.now += 100
    const { token } = world
    await request(service, 'PATCH', `/uptime/checks/${edited.id}`, { token, body: { url: `${targets.http}/status/404` } })
    await request(service, 'POST', `/uptime/checks/${paused.id}/pause`, { token, body: {} })
    await request(service, 'DELETE', `/uptime/checks/${deleted.id}`, { token })
    await running
    assert.deepEqual([(await read(paused)).status, (await read(paused)).last_checked_at], ['paused', null])
    assert.equal((await read(edited)).status, 'pending', 'what was seen of the old target is not said of the new one')
    const results = await service.store.read.selectFrom('uptime_results').select(['check_number', 'failures']).execute()
    assert.deepEqual(results, [{ check_number: edited.number, failures: 1 }])
  })

  test('a killed worker’s checks come back when its lease ends, and not before', async () => {
    const page = await check({ url: `${targets.http}/`, leased_until: service.clock.now + 45_000 })
    await scheduler.runDue()
    assert.equal((await row(page)).last_checked_at, null)
    service.clock.now += 45_000
    await scheduler.runDue()
    assert.equal((await row(page)).last_checked_at, service.clock.now)
  })

  test('going down ends probes at once, says nothing of them, and gives them back', async () => {
    const slow = await check({ url: `${targets.http}/delay/30000`, timeout_seconds: 30 })
    const running = scheduler.runDue()
    await until(() => targets.requests.length === 1)
    await scheduler.stop()
    await running
    assert.deepEqual([(await row(slow)).leased_until, (await row(slow)).last_checked_at, (await row(slow)).status], [null, null, 'pending'])
  })

  test('missed ticks are not made up for: one probe, then the next tick', async () => {
    const page = await check({ url: `${targets.http}/` })
    service.clock.now += 3_600_000
    await scheduler.runDue()
    assert.equal(targets.requests.length, 1)
    const { next_check_at } = await row(page)
    assert.ok((next_check_at ?? 0) > service.clock.now && (next_check_at ?? 0) <= service.clock.now + 60_000)
  })
})

const postgres = engines.find(({ name }) => name === 'postgres')

describe('two workers over one Postgres', { skip: !postgres }, () => {
  test('probe no tick twice, and every one once', async t => {
    assert.ok(postgres)
    const service = await startService(postgres)
    const store = openStore(service.url, { connections: 4 })
    const other = createApp({
      store,
      config: service.app.config,
      table: service.app.table,
      log: service.app.log,
      now: () => service.clock.now,
      random: service.app.random,
    })
    t.after(async () => {
      await other.close()
      await store.close()
      await service.close()
    })
    const world = await makeSite(service)
    await service.store.write.deleteFrom('uptime_checks').execute()
    const checks = isFull ? 300 : 120
    for (let i = 0; i < checks; i++)
      await addCheck(service.store.write, service.clock.now, {
        workspace_id: world.ids.workspace ?? '',
        url: `${targets.http}/?${i}`,
        timeout_seconds: 30,
      })
    targets.requests.length = 0
    const workers = [service.app, other].map(app => createScheduler(app, [probing()]))
    const ticks = 3
    for (let tick = 0; tick < ticks; tick++) {
      // Four concurrent runs, two of each worker: whichever claims a check probes its tick.
      await Promise.all([...workers, ...[service.app, other].map(app => createScheduler(app, [probing()]))].map(worker => worker.runDue()))
      service.clock.now += 60_000
    }
    const seen = new Map<string, number>()
    for (const { url = '' } of targets.requests) seen.set(url, (seen.get(url) ?? 0) + 1)
    assert.deepEqual([...new Set(seen.values())], [ticks])
    assert.equal(seen.size, checks)
    const { results } = await service.store.read
      .selectFrom('uptime_results')
      .select(({ fn }) => fn.countAll<number>().as('results'))
      .executeTakeFirstOrThrow()
    assert.equal(results, checks * ticks)
  })
})
