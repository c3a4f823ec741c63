import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'

export default area({
  name: 'Goals',
  description: 'Goals are the pages and events of a site that count as conversions.',
  operations,
  everyday: ['goals_list', 'goals_create'],
  ids,
  tables: ['goals'],
  example: () => import('./example.ts'),
})
