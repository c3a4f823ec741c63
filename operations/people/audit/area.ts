import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Audit log',
  description: 'Every change that was made in a workspace.',
  operations,
  tables: ['audit_entries'],
})
