import { area } from '../../../runtime/table/area.ts'
import * as events from './events.ts'
import * as meters from './meters.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'Webhooks',
  description: 'Endpoints that receive events, and the result of each delivery.',
  manual: '/documentation/webhooks',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    webhooks_create:
      'set up a webhook, call my url, callback, http callback, send events to my server, when something happens, notify my backend, tell my server, push events, my backend',
    webhooks_list: 'which webhooks',
    webhook_deliveries_list: 'failed deliveries, was the webhook delivered, delivery log, attempts, responses',
    webhook_deliveries_redeliver: 'resend, retry, send again, redeliver',
    webhooks_test: 'try the webhook, ping the webhook',
    webhooks_update: 'rotate the secret, disable a webhook, events of a webhook',
  },
  events,
  tasks,
  subscribers,
  meters,
  ids,
  tables: ['webhooks', 'webhook_deliveries'],
  sealed: ['secret', 'previous_secret'].map(column => ({ table: 'webhooks', column })),
  expiring: [{ table: 'webhook_deliveries', key: ['id'], from: 'created_at', afterMs: 30 * DAY_MS }],
  example: () => import('./example.ts'),
})
