import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'

export default area({
  name: 'Account',
  description: 'The account of the member who owns the token.',
  operations,
  ids,
  tables: ['accounts'],
})
