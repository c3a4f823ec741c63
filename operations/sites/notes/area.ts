import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'

export default area({
  name: 'Notes',
  description: 'Notes mark times of a site, such as deploys.',
  operations,
  everyday: ['notes_list', 'notes_create'],
  ids,
  tables: ['notes'],
  example: () => import('./example.ts'),
})
