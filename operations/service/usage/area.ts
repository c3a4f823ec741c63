import { area } from '../../../runtime/table/area.ts'
import * as events from './events.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Usage',
  description: 'How many hits workspaces have in a month, against their limit.',
  events,
  tasks,
  tables: ['usage_days', 'usage_months'],
})
