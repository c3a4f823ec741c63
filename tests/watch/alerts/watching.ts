/** Test harness for alerts: sends hits, moves the clock, and evaluates alerts. */
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { openHitStore } from '../../../storage/hits/hit-store.ts'
import type { Engine } from '../../support/engines.ts'
import { randomBytes } from '../../support/chance.ts'
import { fill, makeWorld, type Reply, request, type Settings, startService, type TestService, type World } from '../../support/world.ts'
import { hit, type Sent } from '../../storage/engine/traffic.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Announcements since the last call to `told()`. */
export interface Announcements {
  /** Events in order, `alert.triggered` or `alert.triggered muted`. */
  events: string[]
  /** Messages to channels, in the order written. */
  messages: string[]
}

export interface Watching {
  readonly service: TestService
  /** Stores hits of a world's site; the clock should be at `at`. */
  send(world: World, hits: readonly Sent[]): Promise<void>
  /** Moves the clock and runs due tasks. */
  pass(ms: number, tasks?: readonly string[]): Promise<void>
  run(tasks?: readonly string[]): Promise<void>
  announcements(world: World): Promise<Announcements>
  call(world: World, method: string, path: string, body?: unknown): Promise<Reply>
  close(): Promise<void>
}

const tasks = ['alerts_evaluate', 'notifications_send'] as const

export async function startWatching(engine: Engine, config: Settings = {}): Promise<Watching> {
  const service = await startService(engine, config)
  const { clock, store, app } = service
  const scheduler = createScheduler(app)
  const hits = openHitStore(store, { now: () => clock.now, randomBytes })
  const heard = new Set<string>()
  const isNew = ({ id }: { id: string }) => !heard.has(id) && heard.add(id)
  const run = async (only: readonly string[] = tasks) => {
    await scheduler.runDue(only)
  }
  return {
    service,
    run,
    async send({ siteNumber }, sent) {
      await hits.append(sent.map(each => hit({ number: siteNumber, timezone: 'Europe/Berlin' }, each)))
    },
    async pass(ms, only) {
      clock.now += ms
      await run(only)
    },
    async announcements({ ids }) {
      const events = await store.read
        .selectFrom('events')
        .select(['id', 'type', 'data'])
        .where('workspace_id', '=', ids.workspace ?? '')
        .orderBy('created_at')
        .execute()
      const messages = await store.read
        .selectFrom('notifications as n')
        .innerJoin('channels as c', 'c.id', 'n.channel_id')
        .select(['n.id', 'n.message'])
        .where('c.workspace_id', '=', ids.workspace ?? '')
        .orderBy('n.created_at')
        .execute()
      return {
        events: events.filter(isNew).map(({ type, data }) => (JSON.parse(data).muted === true ? `${type} muted` : type)),
        messages: messages.filter(isNew).map(({ message }) => JSON.parse(message).type),
      }
    },
    call: (world, method, path, body) =>
      request(service, method, fill(path, world), { token: world.token, ...(body === undefined ? {} : { body: fill(body, world) }) }),
    async close() {
      await hits.close()
      await service.close()
    },
  }
}

/** Creates a world whose only alert is this one, with its channel and no uptime checks. */
export async function watch(watching: Watching, alert: object): Promise<{ world: World; id: string }> {
  const {
    service: { store },
  } = watching
  const world = await makeWorld(watching.service)
  for (const table of ['alerts', 'uptime_checks'] as const)
    await store.write
      .deleteFrom(table)
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .execute()
  const made = await watching.call(world, 'POST', '/workspaces/{{workspace}}/alerts', {
    name: 'Watched',
    channel_ids: ['{{channel}}'],
    ...alert,
  })
  if (made.status !== 201) throw new Error(made.text)
  return { world, id: made.body.data.id }
}
