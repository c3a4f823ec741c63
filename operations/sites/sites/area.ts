import { area } from '../../../runtime/area.ts'
import * as events from './events.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Sites',
  description: 'Sites send hits and have reports.',
  operations,
  everyday: ['sites_list', 'sites_get'],
  events,
  tasks,
  subscribers,
  ids,
  tables: ['sites'],
  example: () => import('./example.ts'),
})
