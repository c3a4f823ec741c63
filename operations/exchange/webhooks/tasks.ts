import { task } from '../../../runtime/table/task.ts'
import { deliverDue, queue } from './deliver.ts'
import { delivering } from './deliveries.ts'

export const webhooks_deliver = task({
  name: delivering,
  summary: 'Sends what is due to webhooks, again where it failed',
  every: 1_000,
  lease: 60_000,
  shared: true,
  queue,
  run: deliverDue,
})
