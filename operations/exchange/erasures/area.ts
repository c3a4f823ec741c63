import { area } from '../../../runtime/table/area.ts'
import * as events from './events.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'
import * as tasks from './tasks.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'Clean up',
  description: 'Visits of the past that should not count: by conditions, or by a traffic rule.',
  manual: '/documentation/collecting#cleaning-up',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    visits_erase:
      'delete visits, erase visits, remove bot traffic, take our own visits out, clean up data, delete hits of staging, remove spam from the past',
    visits_erase_preview: 'how many visits would be deleted, preview of a deletion',
    visits_erasures_list: 'is the erasure done, progress of an erasure, which visits were deleted',
    traffic_rules_apply: 'apply a rule to the past, exclude past visits, filter old data',
  },
  events,
  tasks,
  ids,
  tables: ['visit_erasures'],
  expiring: [{ table: 'visit_erasures', key: ['id'], from: 'finished_at', afterMs: 90 * DAY_MS }],
  example: () => import('./example.ts'),
})
