import { area } from '../../../runtime/table/area.ts'
import { ids } from './queue.ts'
import * as settings from './settings.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Mail',
  description: 'Mails to people: links, invitations, and notices about their account.',
  section: 'Account',
  tasks,
  settings,
  ids,
  tables: ['mails'],
  sealed: [{ table: 'mails', column: 'sealed' }],
})
