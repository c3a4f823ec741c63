import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'Funnels',
  description: 'Funnels are steps that a visit is to take in order, and how far visits come.',
  operations,
  everyday: ['funnels_list', 'funnels_report', 'funnels_create'],
  subscribers,
  ids,
  tables: ['funnels'],
  example: () => import('./example.ts'),
})
