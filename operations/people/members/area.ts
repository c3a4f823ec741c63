import { area } from '../../../runtime/table/area.ts'
import * as events from './events.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'Members',
  description: 'Members of a workspace and their roles.',
  manual: '/documentation/sign-in#members',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    members_leave: 'leave the workspace, leave the team, i quit, remove myself',
    members_list: 'who has access, team, team members, colleagues, people in the workspace',
    members_update: 'make admin, change the role, promote, give rights, permissions of a member',
    members_delete: 'remove a colleague, remove access, kick out, person left, take away access, withdraw access, fire',
  },
  events,
  ids,
  subscribers,
  tables: ['members'],
})
