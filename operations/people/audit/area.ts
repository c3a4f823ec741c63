import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Audit log',
  description: 'A log of every change in a workspace.',
  manual: '/documentation/security',
  operations,
  asked: {
    audit_list: 'who changed, who did, who deleted, audit trail, activity log, change history, history of settings',
  },
  views: () => import('./pages.tsx'),
  tables: ['audit_entries'],
})
