import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'

export default area({
  name: 'Dashboards',
  description: 'Dashboards are cards that each show one report of one site.',
  operations,
  ids,
  tables: ['dashboards'],
  example: () => import('./example.ts'),
})
