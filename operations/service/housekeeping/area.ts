import { area } from '../../../runtime/table/area.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Housekeeping',
  description: 'Keeps short what only grows.',
  tasks,
})
