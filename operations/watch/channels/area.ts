import { area } from '../../../runtime/area.ts'
import * as meters from './meters.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Notification channels',
  description: 'Where alerts are told to people: e-mail, webhooks, Slack, Discord, Teams.',
  operations,
  everyday: ['channels_list'],
  tasks,
  meters,
  ids,
  tables: ['channels', 'notifications'],
  example: () => import('./example.ts'),
})
