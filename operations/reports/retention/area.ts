import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Retention',
  description: 'Retention: whether people come back.',
  manual: '/documentation/analytics#6-single-reports',
  section: 'Analytics',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    retention_get:
      'retention, cohorts, cohort analysis, come back, came back, returning people, do people return, churn, repeat purchases, lifetime revenue, lifetime value, loyalty, retention by channel',
  },
})
