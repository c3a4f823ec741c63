import { task } from '../../../runtime/table/task.ts'
import { erasePeople } from './deletion.ts'

const minutes = 60_000

export const people_erase = task({
  name: 'people_erase',
  summary: 'Deletes the visits of deleted people, with their hits and copies',
  every: 5 * minutes,
  lease: 2 * minutes,
  run: async context => ({ more: await erasePeople(context) }),
})
