import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Roles',
  description: 'The roles of members and their permissions.',
  manual: '/documentation/decisions#2-roles',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    roles_list: 'permissions of roles, what may an admin do, which roles, rights',
  },
})
