/**
 * Sends due deliveries in lanes: each webhook has a few attempts under way at once, and only as many deliveries are
 * claimed as its lane has free. An endpoint that hangs thus delays only its own deliveries.
 */
import { sql } from 'kysely'
import { holds, type Lane, laneClaim } from '../../../runtime/tasks/lease.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import { type Lanes, processDueRows } from '../../../runtime/tasks/process-due-rows.ts'
import type { Db, Store, Trx } from '../../../storage/store.ts'
import type { DeliveryRow, WebhookRow } from '../../../storage/tables/index.ts'
import { ATTEMPT_MS, attempt } from './attempt.ts'
import { pausePending } from './deliveries.ts'
import { signingSecrets } from './secret.ts'
import { type Ended, settler } from './write-results.ts'
import { webhook_deliveries_total, webhook_delivery_duration_seconds } from './meters.ts'

export const queue = { table: 'webhook_deliveries', due: 'next_at' } as const
const leaseMs = 60_000
/** Attempts under way at once for one webhook; fewer while it fails, since those often run into the timeout. */
const lane = { healthy: 10, failing: 2 }
/** Attempts under way at once in this process; each has a socket. */
const maxUnderWay = 1_000
/** Interval between queries for due deliveries while attempts are under way, ms. */
const queryIntervalMs = 100
/** Attempts that end within this time are written together, ms. */
const gather = 10

/** Resolves when nothing is due or under way. */
export function deliverDue(context: TaskContext): Promise<void> {
  const { store, signal, now, log } = context
  const settle = settler(store)
  const claim = laneClaim(store, queue, 'webhook_id')
  let webhooks: ReadonlyMap<string, WebhookRow> = new Map()

  return processDueRows<DeliveryRow, Ended | undefined>({
    max: maxUnderWay,
    signal,
    laneOf: delivery => delivery.webhook_id,
    checkIntervalMs: queryIntervalMs,
    gatherMs: gather,
    async claim(places, underWay, ended) {
      webhooks = new Map((places === 0 ? [] : await dueWebhooks(store.read, now())).map(row => [row.id, row]))
      const free = freeLanes([...webhooks.values()], underWay)
      if (ended.length === 0 && free.length === 0) return []
      return store.transaction(async trx => {
        await settle(
          trx,
          ended.filter(end => end !== undefined),
        )
        const waiting = await pauseDisabled(
          trx,
          store,
          free.filter(({ name }) => webhooks.get(name)?.enabled === 0),
        )
        return claim(
          trx,
          free.filter(lane => !waiting.includes(lane)),
          { now: now(), leaseMs },
        )
      })
    },
    async work(delivery) {
      const webhook = webhooks.get(delivery.webhook_id)
      return (
        webhook &&
        deliver(context, webhook, delivery).catch((err: unknown) => {
          log.error({ delivery: delivery.id, err }, 'an attempt could not begin') // retried when its lease ends
          return undefined
        })
      )
    },
  })
}

/**
 * Pauses deliveries that were written while their webhook was being disabled, unless it has been enabled meanwhile.
 * @param lanes of webhooks that were disabled
 * @returns those whose webhook someone else has locked: they wait for the next claim
 */
async function pauseDisabled(trx: Trx, { dialect }: Store, lanes: readonly Lane[]): Promise<readonly Lane[]> {
  if (lanes.length === 0) return []
  const names = lanes.map(({ name }) => name)
  const locked = await trx
    .selectFrom('webhooks')
    .select(['id', 'enabled'])
    .where('id', 'in', names)
    .modifyEnd(sql.raw(dialect.rowLock.skipLocked))
    .execute()
  for (const { id, enabled } of locked) if (enabled === 0) await pausePending(trx, id)
  return lanes.filter(({ name }) => !locked.some(({ id }) => id === name))
}

/** Webhooks with due deliveries: an index lookup for each, since there are few. */
function dueWebhooks(db: Db, now: number): Promise<WebhookRow[]> {
  return db
    .selectFrom('webhooks as w')
    .selectAll()
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_deliveries as d')
          .select('d.id')
          .whereRef('d.webhook_id', '=', 'w.id')
          .where('d.next_at', '<=', now)
          .where(({ or, eb }) => or([eb('d.leased_until', 'is', null), eb('d.leased_until', '<=', now)])),
      ),
    )
    .orderBy('w.id')
    .execute()
}

type Pacing = Pick<WebhookRow, 'id' | 'consecutive_failures'>

/** Lanes with the least under way come first when places are short. */
export function freeLanes(due: readonly Pacing[], underWay: Lanes): Lane[] {
  const busy = ({ id }: Pacing) => underWay.get(id) ?? 0
  let left = maxUnderWay - [...underWay.values()].reduce((sum, n) => sum + n, 0)
  return [...due]
    .sort((a, b) => busy(a) - busy(b))
    .map(webhook => {
      const width = webhook.consecutive_failures > 0 ? lane.failing : lane.healthy
      const places = Math.min(width - busy(webhook), left)
      left -= Math.max(places, 0)
      return { name: webhook.id, places }
    })
    .filter(({ places }) => places > 0)
}

/** @returns undefined if the lease is too short for an attempt, because another worker takes the delivery */
async function deliver(context: TaskContext, webhook: WebhookRow, delivery: DeliveryRow): Promise<Ended | undefined> {
  const { store, config, metrics, now, random, use } = context
  const secrets = await signingSecrets(use(secretBox), { db: store.read, webhook, now: now() })
  if (!holds(delivery, now(), ATTEMPT_MS)) return undefined
  const signed = { id: delivery.event_id, at: now(), body: delivery.payload }
  const result = await attempt({ url: webhook.url, secrets, signed, config })
  if (result.outcome === 'failed' && !holds(delivery, now(), 0)) return undefined // the process was suspended, so the failure says nothing about the endpoint
  metrics.add(webhook_deliveries_total, { outcome: result.outcome === 'succeeded' ? 'succeeded' : 'failed' })
  metrics.observe(webhook_delivery_duration_seconds, {}, result.durationMs)
  return { delivery, attempt: result, at: now(), chance: random(4).readUInt32BE() / 2 ** 32 }
}
