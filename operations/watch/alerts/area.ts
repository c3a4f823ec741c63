import { area } from '../../../runtime/area.ts'
import * as events from './events.ts'
import * as meters from './meters.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Alerts',
  description: 'Alerts watch a site or the workspace, and tell when a condition is met.',
  operations,
  everyday: ['alerts_list', 'alerts_history', 'alerts_create', 'alerts_acknowledge', 'alerts_mute'],
  events,
  tasks,
  subscribers,
  meters,
  ids,
  tables: ['alerts', 'alert_channels', 'alert_incidents'],
  example: () => import('./example.ts'),
})
