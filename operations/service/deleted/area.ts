import { area } from '../../../runtime/table/area.ts'
import { restorableMs } from '../../../runtime/table/restoring.ts'
import * as operations from './operations.ts'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'Recently deleted',
  description: 'Records that were deleted in the last 30 days, and can be restored.',
  operations,
  subscribers,
  views: () => import('./pages.tsx'),
  asked: { deleted_records_list: 'undo, restore, trash, recycle bin, deleted by mistake, bring back, recently deleted, undelete' },
  tables: ['deleted_records', 'deleted_rows'],
  expiring: [{ table: 'deleted_records', key: ['id'], from: 'deleted_at', afterMs: restorableMs }],
  example: () => import('./example.ts'),
})
