import { task } from '../../../runtime/table/task.ts'
import { deliverDue, queue } from './deliver.ts'
import { delivering } from './deliveries.ts'

export const webhooks_deliver = task({
  name: delivering,
  summary: 'Sends due deliveries to webhooks, and retries failed deliveries',
  every: 1_000,
  lease: 60_000,
  shared: true,
  queue,
  run: deliverDue,
})
