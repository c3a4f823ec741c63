/**
 * A worker is stopped while its probes are on their way, for longer than their leases; another one goes on probing, and
 * then the first goes on too: what it saw before counts for nothing, a change of state is told once, and availability adds
 * up. The clocks of both are minutes apart.
 */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { availabilityOf } from '../../operations/reports/availability/availability.ts'
import { uptime_down, uptime_up } from '../../operations/watch/uptime/events.ts'
import { startReceiver, status } from '../exchange/webhooks/receiver.ts'
import { engines } from '../support/engines.ts'
import { testIfFullOr } from '../support/full.ts'
import { addCheck } from '../support/uptime.ts'
import { makeSite, startService } from '../support/world.ts'
import { stopFirst } from './workers.ts'

const postgres = engines.find(({ name }) => name === 'postgres')
const MINUTE = 60_000
const CHECKS = 10
/** All clocks run so many times as fast: a minute's interval is two seconds. */
const SPEED = 30

describe('a worker that probes, and is stopped past its leases', { skip: !postgres && 'without Postgres there is one process' }, () => {
  for (const wakes of ['while it is down', 'when it is up again'] as const) {
    testIfFullOr(wakes === 'while it is down')(`and is woken ${wakes}: each check went down once and came up once`, async t => {
      assert.ok(postgres)
      const service = await startService(postgres)
      const { store, clock } = service
      const target = await startReceiver()
      t.after(async () => {
        await target.close()
        await service.close()
      })
      const { ids } = await makeSite(service)
      for (const table of ['uptime_checks', 'alerts', 'events'] as const) await store.write.deleteFrom(table).execute()
      const place = { workspace_id: ids.workspace ?? '', status: 'up', next_check_at: clock.now } as const
      for (let i = 0; i < CHECKS; i++)
        await addCheck(store.write, clock.now - MINUTE, { ...place, url: `${target.url}/${i}`, interval_seconds: 60 })

      let open = 0
      let isUp = false
      target.answer = (response, received) => {
        open++
        const answer = isUp ? status(200) : status(503)
        setTimeout(() => {
          open--
          answer(response, received)
        }, 100)
      }
      const incidents = () => store.read.selectFrom('uptime_incidents').selectAll().execute()
      const isDown = async () => (await incidents()).length === CHECKS
      const isOver = async () => {
        const all = await incidents()
        return all.length === CHECKS && all.every(({ resolved_at }) => resolved_at !== null)
      }
      let unread = 0
      const work = {
        DATABASE_URL: service.url,
        TASKS: 'uptime_probe',
        FOREVER: '1',
        OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
        NOW: String(clock.now),
        SINCE: String(Date.now()),
        SPEED: String(SPEED),
      }
      await stopFirst(work, {
        middle: async () => {
          if (target.received.length < CHECKS || open < 3) return false
          unread = open
          return true
        },
        async wakes() {
          if (!(await isDown())) return false
          isUp = true
          return wakes === 'while it is down' || isOver()
        },
        isOver,
      })
      clock.now += (Date.now() - Number(work.SINCE)) * SPEED

      const events = await store.read.selectFrom('events').select(['type', 'data']).execute()
      for (const kind of [uptime_down, uptime_up]) {
        const told = events.filter(({ type }) => type === kind.type).map(({ data }) => JSON.parse(data).check.id)
        assert.deepEqual([told.length, new Set(told).size], [CHECKS, CHECKS], kind.type)
      }
      const checks = await store.read.selectFrom('uptime_checks').selectAll().execute()
      const periods = await store.read.selectFrom('uptime_periods').selectAll().orderBy('started_at').execute()
      for (const check of checks) {
        assert.equal(check.status, 'up')
        const own = periods.filter(({ check_number }) => check_number === check.number)
        assert.deepEqual(
          own.map(period => period.status),
          ['up', 'down', 'up'],
        )
        const incident = (await incidents()).find(({ check_number }) => check_number === check.number)
        assert.deepEqual([own[1]?.started_at, own[2]?.started_at], [incident?.started_at, incident?.resolved_at])
        const uptime = (await availabilityOf(store.read, check, clock.now))['24h'] ?? 0
        const down = (incident?.resolved_at ?? 0) - (incident?.started_at ?? 0)
        const all = clock.now - (own[0]?.started_at ?? 0)
        assert.ok(Math.abs(uptime - 100 * (1 - down / all)) < 0.1, `${uptime} % where ${down} of ${all} ms were down`)
      }
      t.diagnostic(`${unread} probes were on their way when it was stopped`)
    })
  }
})
