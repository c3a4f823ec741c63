import { Type } from '@sinclair/typebox'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { EventType } from '../../../runtime/events/event-type.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { urlFaults } from '../../../runtime/outbound/outbound.ts'
import { flag, OneOf, optional } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import type { WebhookRow } from '../../../storage/tables/index.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { addDelivery, pausePending, newDelivery, resumePending } from './deliveries.ts'
import { envelopeText } from './envelope.ts'
import { webhook_test } from './events.ts'
import { newStart } from './health.ts'
import { delivery, toDelivery, toWebhook, Webhook, webhook, WebhookDelivery, ids } from './records.ts'
import { makeSecret, rotated } from './secret.ts'
import { eventId } from '../../../runtime/values/ids.ts'
import { m } from './messages.ts'

/** An upper bound, far above the need of a workspace and small enough to write an event to all webhooks quickly. */
const maxWebhooks = 100

const url = Type.String({
  maxLength: 2_000,
  description: 'HTTPS endpoint that receives POSTed JSON; http only within OUTBOUND_ALLOW_CIDRS.',
})
const events = Type.Array(EventType(), {
  minItems: 1,
  maxItems: 100,
  description: 'Types of events that it receives.',
})
const enabled = Type.Boolean({ description: 'Whether Footfall sends events to it.' })
const ofWebhook = { workspace_id: '{{workspace}}', id: '{{webhook}}' }

export const webhooks_create = operation({
  route: 'POST /workspaces/{workspace_id}/webhooks',
  summary: 'Create a webhook: send events to your program',
  description:
    'It receives the listed events from now on, signed with its secret in `Service-Signature`, which Stripe’s verifiers read, and in the headers of Standard Webhooks. An attempt may take 15 seconds, and only 2xx counts as success. A failed attempt is retried at most 9 times over 3 days. To notify people, use `channels_create`.',
  access: 'workspace.manage',
  on: locked(workspace),
  effect: 'create',
  contacts: true,
  input: { url, events, enabled: Type.Boolean({ ...enabled, default: true }) },
  output: Webhook,
  secrets: ['secret'],
  examples: [
    {
      input: {
        workspace_id: '{{workspace}}',
        url: 'https://hooks.example.com/footfall',
        events: ['alert.triggered', 'alert.resolved'],
      },
    },
  ],
  async run({ db, workspace, input, config, now, newId, random, use }) {
    failWith(urlFaults(input.url, config))
    const count = await countOf(db.selectFrom('webhooks').where('workspace_id', '=', workspace.id))
    if (count >= maxWebhooks) fail('limit_reached', m.too_many_webhooks({ most: maxWebhooks }))
    const [id, box] = [newId(ids.webhook), use(secretBox)]
    const row: WebhookRow = {
      id,
      workspace_id: workspace.id,
      url: input.url,
      events: withoutDuplicates(input.events),
      enabled: Number(input.enabled),
      secret: await box.seal(db, makeSecret(random), id),
      previous_secret: null,
      previous_until: null,
      consecutive_failures: 0,
      failing_since: null,
      last_success_at: null,
      last_failure_at: null,
      created_at: now,
    }
    await db.insertInto('webhooks').values(row).execute()
    return toWebhook(row, box, db)
  },
})

export const webhooks_list = list({
  route: 'GET /workspaces/{workspace_id}/webhooks',
  summary: 'List webhooks',
  empty: {
    says: 'A webhook calls an address of yours when something happens, for example an alert or a finished export.',
    like: [['https://example.com/hooks', 'alert.triggered']],
  },
  title: 'Webhooks',
  place: 'integrations',
  description: 'Oldest first.',
  access: 'workspace.manage',
  on: workspace,
  effect: 'read',
  input: {},
  of: Webhook,
  secrets: ['secret'],
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, page, use }) {
    const all = db.selectFrom('webhooks').selectAll().where('workspace_id', '=', workspace.id)
    const { rows, total } = await pageOf(all.orderBy('created_at').orderBy('id'), page)
    return { rows: await Promise.all(rows.map(row => toWebhook(row, use(secretBox), db))), total }
  },
})

export const webhooks_get = operation({
  route: 'GET /workspaces/{workspace_id}/webhooks/{id}',
  summary: 'Get a webhook',
  access: 'workspace.manage',
  on: [workspace, webhook],
  effect: 'read',
  input: {},
  output: Webhook,
  secrets: ['secret'],
  examples: [{ input: ofWebhook }],
  run: ({ db, webhook, use }) => toWebhook(webhook, use(secretBox), db),
})

export const webhooks_update = operation({
  route: 'PATCH /workspaces/{workspace_id}/webhooks/{id}',
  summary: 'Change a webhook',
  description:
    'While it is disabled, Footfall sends nothing, and pending deliveries wait. Enabling it again makes it `active` ' +
    'without failures, and waiting deliveries are due at once.',
  access: 'workspace.manage',
  on: [workspace, webhook],
  effect: 'update',
  contacts: true,
  input: {
    url: optional(url),
    events: optional(events),
    enabled: optional(enabled),
    rotate_secret: Type.Boolean({
      default: false,
      description: 'Replaces the signing secret; the previous secret also signs for 24 hours.',
    }),
  },
  output: Webhook,
  secrets: ['secret'],
  examples: [
    { input: { ...ofWebhook, events: ['uptime.down', 'uptime.up'] } },
    { summary: 'A new secret', input: { ...ofWebhook, rotate_secret: true } },
    { summary: 'Enable it again', input: { ...ofWebhook, enabled: true } },
  ],
  async run({ db, webhook, input, config, now, random, use }) {
    if (input.url !== undefined && input.url !== webhook.url) failWith(urlFaults(input.url, config))
    const box = use(secretBox)
    const before =
      (await db
        .updateTable('webhooks')
        .set({ id: webhook.id, url: input.url, events: input.events && withoutDuplicates(input.events) })
        .where('id', '=', webhook.id)
        .returningAll()
        .executeTakeFirst()) ?? fail('not_found')
    const row = await db
      .updateTable('webhooks')
      .set({
        id: webhook.id, // keeps an empty update valid SQL
        enabled: flag(input.enabled),
        ...(input.enabled && before.enabled === 0 ? newStart : {}),
        ...(input.rotate_secret ? await rotated(box, { db, webhook: before }, { now, random }) : {}),
      })
      .where('id', '=', webhook.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (before.enabled === 1 && row.enabled === 0) await pausePending(db, row.id)
    if (before.enabled === 0 && row.enabled === 1) await resumePending(db, row.id, now)
    return toWebhook(row, box, db)
  },
})

export const webhooks_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/webhooks/{id}',
  summary: 'Delete a webhook',
  description: 'Deletes its deliveries, too; pending ones are not sent.',
  access: 'workspace.manage',
  on: [workspace, webhook],
  effect: 'delete',
  input: {},
  output: Webhook,
  secrets: ['secret'],
  examples: [{ input: ofWebhook }],
  async run({ db, webhook, use }) {
    const row = await db.deleteFrom('webhooks').where('id', '=', webhook.id).returningAll().executeTakeFirst()
    return toWebhook(row ?? fail('not_found'), use(secretBox), db)
  },
})

const tested = {
  succeeded: m.the_test_delivery_arrived,
  failed: m.the_test_delivery_failed,
  pending: m.test_pending,
}

export const webhooks_test = operation({
  route: 'POST /workspaces/{workspace_id}/webhooks/{id}/test',
  summary: 'Send a test delivery',
  done: 'Test delivery sent.',
  description:
    'Sends the event `webhook.test` at once, also to a disabled webhook. The returned delivery is still ' +
    'pending: `webhook_deliveries_list` shows its result within 15 seconds. It is attempted once; a failure does ' +
    'not count.',
  access: 'workspace.manage',
  on: [workspace, webhook],
  effect: 'update',
  contacts: true,
  rate: 'costly',
  input: {},
  output: WebhookDelivery,
  outcome: ({ status, error }) => outcomeOf(status, tested, error),
  examples: [{ input: ofWebhook }],
  async run({ db, webhook, now, newId }) {
    const event = {
      id: newId(eventId),
      type: webhook_test.type,
      workspace_id: webhook.workspace_id,
      site_id: null,
      created_at: now,
      data: JSON.stringify({ webhook_id: webhook.id, message: 'A test: nothing happened.' }),
    }
    const sent = { webhook_id: webhook.id, event: event.type, event_id: event.id, payload: envelopeText(event) }
    return toDelivery(await addDelivery(db, newDelivery(sent, true, { now, newId })))
  },
})

export const webhook_deliveries_list = list({
  route: 'GET /workspaces/{workspace_id}/webhooks/{webhook_id}/deliveries',
  summary: 'List deliveries of a webhook: what was sent, what failed',
  empty: {
    says: 'Every delivery appears here with its answer, and can be sent again.',
    like: [
      ['alert.triggered', '200'],
      ['export.ready', '200'],
    ],
  },
  description: 'Newest first, with the response of the endpoint. Deliveries are kept for 30 days.',
  access: 'workspace.manage',
  on: [workspace, webhook],
  effect: 'read',
  input: {
    status: optional(OneOf(['succeeded', 'failed'], { description: 'Only deliveries with this result.' })),
  },
  of: WebhookDelivery,
  examples: [
    { input: { workspace_id: '{{workspace}}', webhook_id: '{{webhook}}' } },
    {
      summary: 'Failed deliveries',
      input: { workspace_id: '{{workspace}}', webhook_id: '{{webhook}}', status: 'failed' },
    },
  ],
  async run({ db, webhook, input, page }) {
    let query = db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhook.id)
    if (input.status) query = query.where('status', '=', input.status)
    const { rows, total } = await pageOf(query.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(toDelivery), total }
  },
})

const redelivered = {
  succeeded: m.the_delivery_arrived,
  failed: m.the_delivery_failed_again,
  pending: m.the_delivery_is_on_its_way,
}

export const webhook_deliveries_redeliver = operation({
  route: 'POST /workspaces/{workspace_id}/webhooks/{webhook_id}/deliveries/{id}/redeliver',
  summary: 'Send a delivery again',
  label: 'Send again',
  done: 'Delivery sent again.',
  description:
    'A new delivery with the same payload and `webhook-id`, sent at once and to the webhook’s current URL. ' +
    'The returned delivery is still pending: `webhook_deliveries_list` shows its result within 15 seconds. ' +
    'It is attempted once; a failure does not count. A disabled webhook must be enabled first.',
  access: 'workspace.manage',
  on: [workspace, webhook, delivery],
  effect: 'update',
  contacts: true,
  offered: { status: ['failed'] },
  rate: 'costly',
  input: {},
  output: WebhookDelivery,
  outcome: ({ status, error }) => outcomeOf(status, redelivered, error),
  examples: [{ input: { workspace_id: '{{workspace}}', webhook_id: '{{webhook}}', id: '{{delivery}}' } }],
  async run({ db, webhook, delivery, now, newId }) {
    if (delivery.webhook_id !== webhook.id) fail('not_found')
    if (webhook.enabled === 0) fail('invalid_state', m.webhook_disabled())
    return toDelivery(await addDelivery(db, newDelivery(delivery, true, { now, newId })))
  },
})

/** Removes duplicates. */
function withoutDuplicates(kinds: readonly string[]): string {
  return JSON.stringify([...new Set(kinds)])
}
