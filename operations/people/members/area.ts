import { area } from '../../../runtime/area.ts'
import * as events from './events.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'

export default area({
  name: 'Members',
  description: 'The members of a workspace and their roles.',
  operations,
  events,
  ids,
  tables: ['members'],
})
