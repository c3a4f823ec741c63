import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import { ids } from './records.ts'

export default area({
  name: 'Goals',
  description: 'Goals are the pages and events of a site that count as conversions.',
  manual: '/documentation/analytics#6-single-reports',
  operations,
  views: () => import('./pages.tsx'),
  everyday: ['goals_list', 'goals_create'],
  asked: {
    goals_list: 'my goals, which goals, what counts as a conversion',
    goals_create:
      'add a goal, new goal, track as a conversion, count as a conversion, thank you page, track signups, conversion goal, count as goal, count purchases, make it a goal',
  },
  ids,
  tables: ['goals'],
  example: () => import('./example.ts'),
})
