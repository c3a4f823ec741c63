import { task } from '../../../runtime/table/task.ts'
import { eraseEvents } from './deletion.ts'
import { MINUTE_MS } from '../../../storage/values/durations.ts'

export const events_erase = task({
  name: 'events_erase',
  summary: 'Deletes the hits of deleted events, and recomputes their visits',
  every: 5 * MINUTE_MS,
  lease: 2 * MINUTE_MS,
  run: async context => ({ more: await eraseEvents(context) }),
})
