import { area } from '../../../runtime/area.ts'
import * as endpoints from './endpoints.ts'
import * as meters from './meters.ts'
import * as operations from './operations.ts'
import * as settings from './settings.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Collection',
  description: 'How hits come in, and what became of those that were not kept.',
  operations,
  asked: {
    collection_drops:
      'missing hits, hits missing, data missing, blocked bots, dropped hits, rejected hits, not counted, lost hits, why is nothing counted, ignored traffic, spam',
  },
  tasks,
  endpoints,
  settings,
  meters,
})
