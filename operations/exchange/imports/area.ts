import { area } from '../../../runtime/area.ts'
import * as events from './events.ts'

export default area({
  name: 'Imports',
  description: 'Hits from elsewhere, read from files.',
  events,
  tables: ['hit_imports', 'hit_import_refusals'],
})
