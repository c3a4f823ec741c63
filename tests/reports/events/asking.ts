/** A service with one site, and helpers to send hits and call operations. */
import assert from 'node:assert/strict'
import { table } from '../../../operations/index.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import type { Engine } from '../../support/engines.ts'
import { callHttp, makeSite, type Reply, startService, type TestService, type World } from '../../support/world.ts'
import { hit, type Sent, store } from '../../storage/engine/traffic.ts'

export interface Asking {
  readonly service: TestService
  readonly world: World
  send(...hits: Sent[]): Promise<void>
  call(name: string, input?: Record<string, unknown>, token?: string): Promise<Reply>
  /** `data` and `meta` of an answer that must succeed. */
  get(name: string, input?: Record<string, unknown>): Promise<{ data: any; meta: any }> // any, so that tests can read any field
  /** Runs the background task until nothing is left. */
  erase(): Promise<void>
}

export async function startAsking(engine: Engine): Promise<Asking> {
  const service = await startService(engine)
  return { service, ...(await newSite(service)) }
}

export async function newSite(service: TestService): Promise<Omit<Asking, 'service'>> {
  const world = await makeSite(service)
  const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
  const call = (name: string, input: Record<string, unknown> = {}, token = world.token) => {
    const operation = table.operations.get(name)
    assert.ok(operation)
    return callHttp(service, operation, { site_id: world.ids.site, ...input }, token)
  }
  return {
    world,
    call,
    async send(...hits) {
      await store(
        service.store,
        hits.map(one => hit(site, one)),
      )
    },
    async get(name, input) {
      const { status, body, text } = await call(name, input)
      assert.ok(status === 200 || status === 201, text)
      return body
    },
    async erase() {
      service.clock.now += 5 * 60_000
      await createScheduler(service.app).runDue(['events_erase'])
    },
  }
}

/** A time on 9 March 2026 in Berlin: the day before the service's clock. */
export const at = (time: string, date = '2026-03-09'): number => Date.parse(`${date}T${time}+01:00`)
