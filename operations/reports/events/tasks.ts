import { task } from '../../../runtime/table/task.ts'
import { eraseEvents } from './deletion.ts'

const minutes = 60_000

export const events_erase = task({
  name: 'events_erase',
  summary: 'Deletes the hits of deleted events, and recomputes their visits',
  every: 5 * minutes,
  lease: 2 * minutes,
  run: async context => ({ more: await eraseEvents(context) }),
})
