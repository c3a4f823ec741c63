import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'

export default area({
  name: 'Account',
  description: 'A person: how they are called, what they like, how they sign in.',
  operations,
  ids,
  tables: ['accounts'],
  example: () => import('./example.ts'),
})
