/** The service with manual deliveries: nothing is sent until `deliver()`, by the tests' clock. */
import type { Static, TSchema } from '@sinclair/typebox'
import { delivering } from '../../../operations/exchange/webhooks/deliveries.ts'
import type { EventKind } from '../../../runtime/events/event.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import type { Engine } from '../../support/engines.ts'
import { makeWorld, type Reply, request, type Settings, startService, type TestService, type World } from '../../support/world.ts'

export interface Delivering extends TestService {
  /** Sends all due deliveries. */
  deliver(): Promise<void>
  emit<T extends TSchema>(world: World, kind: EventKind<T>, data: Static<T>): Promise<void>
}

export async function startDelivering(engine: Engine, config: Settings = {}): Promise<Delivering> {
  const service = await startService(engine, { OUTBOUND_ALLOW_CIDRS: ['127.0.0.0/8'], ...config })
  const scheduler = createScheduler(service.app)
  return {
    ...service,
    async deliver() {
      scheduler.wake(delivering)
      await scheduler.runDue([delivering])
      const { last_error } = await service.store.read
        .selectFrom('tasks')
        .select('last_error')
        .where('name', '=', delivering)
        .executeTakeFirstOrThrow()
      if (last_error !== null) throw new Error(last_error)
    },
    emit: ({ ids }, kind, data) =>
      service.app.store.transaction(trx =>
        service.app.emitIn(trx, service.clock.now)(kind, { workspaceId: ids.workspace ?? '', siteId: null, data }),
      ),
  }
}

/** A world with one webhook, and helpers for it. */
export async function webhookIn(service: Delivering, url: string, events: readonly string[] = ['export.ready']) {
  const world = await makeWorld(service)
  const base = `/workspaces/${world.ids.workspace}/webhooks`
  await service.store.write
    .deleteFrom('webhooks')
    .where('id', '=', world.ids.webhook ?? '')
    .execute()
  const call = (method: string, path: string, body?: unknown): Promise<Reply> =>
    request(service, method, `${base}${path}`, { token: world.token, ...(method === 'GET' ? {} : { body: body ?? {} }) })
  const made = await call('POST', '', { url, events })
  if (made.status !== 201) throw new Error(made.text)
  const id: string = made.body.data.id
  return {
    world,
    id,
    base,
    call,
    secret: made.body.data.secret as string,
    get: async () => (await call('GET', `/${id}`)).body.data,
    update: async (body: unknown) => (await call('PATCH', `/${id}`, body)).body.data,
    /** Newest first. */
    deliveries: async (query = '') => (await call('GET', `/${id}/deliveries?per_page=100${query}`)).body.data,
  }
}
