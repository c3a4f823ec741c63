import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'

export default area({
  name: 'Segments',
  description: 'Segments are filters of reports with a name.',
  operations,
  everyday: ['segments_list', 'segments_create'],
  ids,
  tables: ['saved_segments'],
  example: () => import('./example.ts'),
})
