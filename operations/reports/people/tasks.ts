import { task } from '../../../runtime/table/task.ts'
import { erasePeople } from './deletion.ts'
import { MINUTE_MS } from '../../../storage/values/durations.ts'

export const people_erase = task({
  name: 'people_erase',
  summary: 'Deletes the visits of deleted people, with their hits and copies',
  every: 5 * MINUTE_MS,
  lease: 2 * MINUTE_MS,
  run: async context => ({ more: await erasePeople(context) }),
})
