import { Type } from '@sinclair/typebox'
import { event } from '../../../runtime/events/event.ts'
import { record } from '../../../runtime/table/schema.ts'

export const webhook_test = event({
  type: 'webhook.test',
  direct: true,
  summary: 'A member tested a webhook. It is sent only to that webhook, and `events` cannot contain it.',
  data: record(
    'WebhookTestEvent',
    {
      webhook_id: Type.String({ description: 'Id of the webhook.' }),
      message: Type.String({ description: 'Text that identifies the test.' }),
    },
    'A test event.',
  ),
})
