import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import * as prompts from './prompts.ts'

export default area({
  name: 'Insights',
  description: 'Insights: notable changes, and their causes.',
  manual: '/documentation/analytics#6-single-reports',
  section: 'Analytics',
  operations,
  views: () => import('./pages.tsx'),
  prompts,
  everyday: ['insights_get'],
  asked: {
    insights_get:
      'what changed, why did traffic drop, why are visitors down, why did it rise, reason, explain a change, explain a drop, anything unusual, anomalies, notable, winners and losers, biggest changes, what happened, news, insights, fell, grew, different from last week, what is different, what is new, spike, drop, reasons, cause, caused',
  },
})
