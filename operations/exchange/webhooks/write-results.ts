/** Writes the results of attempts to their deliveries and webhooks, in one transaction. */
import { sql } from 'kysely'
import { storedSentence } from '../../../runtime/texts/message.ts'
import { assign, bigint, type Columns, int, statement, text } from '../../../storage/sql/row-statements.ts'
import type { Store, Trx } from '../../../storage/store.ts'
import type { DeliveryRow, WebhookRow } from '../../../storage/tables/index.ts'
import type { Attempt } from './attempt.ts'
import { pausePending } from './deliveries.ts'
import { type Health, healthAfter } from './health.ts'
import { waitAfter } from './schedule.ts'

export interface Ended {
  /** The row as it was claimed. */
  readonly delivery: DeliveryRow
  readonly attempt: Attempt
  /** End of the attempt, epoch ms. */
  readonly at: number
  /** Random, from 0 up to 1, for the jitter of the next attempt. */
  readonly chance: number
}

const outcomes: Columns<Ended> = {
  key: text(({ delivery }) => delivery.id),
  lease: bigint(({ delivery }) => delivery.leased_until ?? 0),
  status: text(statusOf),
  attempt: int(({ delivery }) => delivery.attempt + 1),
  status_code: { type: 'int', of: ({ attempt }) => attempt.statusCode },
  error: { type: 'text', of: ({ attempt }) => attempt.error && storedSentence(attempt.error) },
  duration_ms: int(({ attempt }) => attempt.durationMs),
  response_body: { type: 'text', of: ({ attempt }) => attempt.responseBody },
  delivered_at: { type: 'bigint', of: ({ attempt, at }) => (attempt.outcome === 'succeeded' ? at : null) },
  next_at: { type: 'bigint', of: nextAt },
}

function statusOf(ended: Ended): DeliveryRow['status'] {
  if (ended.attempt.outcome === 'succeeded') return 'succeeded'
  return nextAt(ended) === null ? 'failed' : 'pending'
}

function nextAt({ delivery, attempt, at, chance }: Ended): number | null {
  if (attempt.outcome === 'succeeded' || delivery.manual === 1) return null
  const wait = waitAfter(delivery.attempt + 1, attempt, chance)
  return wait === undefined ? null : at + wait
}

const healths: Columns<WebhookRow> = {
  key: text(row => row.id),
  enabled: int(row => row.enabled),
  consecutive_failures: int(row => row.consecutive_failures),
  failing_since: { type: 'bigint', of: row => row.failing_since },
  last_success_at: { type: 'bigint', of: row => row.last_success_at },
  last_failure_at: { type: 'bigint', of: row => row.last_failure_at },
}

/** The columns to set; the remaining ones select the row. */
const set = (columns: object) =>
  assign(
    Object.keys(columns).filter(name => name !== 'key' && name !== 'lease'),
    'given',
  )

/** Prepares the statements once; they are few however many attempts ended. */
export function settler(store: Store): (trx: Trx, ended: readonly Ended[]) => Promise<void> {
  // If the lease ended in the meantime, another worker has the row, and its result counts.
  const setOutcomes = statement<Ended, { id: string }>(store, {
    name: 'write-results.deliveries',
    columns: outcomes,
    body: `
    update webhook_deliveries set ${set(outcomes)}, leased_until = null
    from given where id = key and leased_until = lease returning id`,
  })
  const setHealths = statement(store, {
    name: 'write-results.webhooks',
    columns: healths,
    body: `update webhooks set ${set(healths)} from given where id = key`,
  })

  return async (trx, ended) => {
    if (ended.length === 0) return
    const ids = new Set(ended.map(({ delivery }) => delivery.webhook_id))
    const webhooks = await locked(trx, store, [...ids])
    const settled = new Set((await setOutcomes(ended)(trx)).map(({ id }) => id))
    const counted = ended.filter(({ delivery }) => settled.has(delivery.id))
    const after = webhooks.map(
      (webhook): WebhookRow => ({
        ...webhook,
        ...healthOf(
          webhook,
          counted.filter(({ delivery }) => delivery.webhook_id === webhook.id),
        ),
      }),
    )
    await setHealths(after)(trx)
    for (const { id, enabled } of after) if (enabled === 0) await pausePending(trx, id)
  }
}

/** Locks webhooks before their deliveries and always in the same order, to rule out deadlocks. */
function locked(trx: Trx, { dialect }: Store, ids: readonly string[]): Promise<WebhookRow[]> {
  return trx.selectFrom('webhooks').selectAll().where('id', 'in', ids).orderBy('id').modifyEnd(sql.raw(dialect.rowLock.wait)).execute()
}

/** A manual delivery counts for health only when it succeeds. */
function healthOf(webhook: Health, ended: readonly Ended[]): Health {
  return ended
    .filter(({ delivery, attempt }) => delivery.manual === 0 || attempt.outcome === 'succeeded')
    .reduce((health, { attempt, at }) => healthAfter(health, attempt.outcome, at), webhook)
}
