import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import * as settings from './settings.ts'
import * as subscribers from './subscribers.ts'

export default area({
  name: 'Plans',
  description: 'Plans: the limits of workspaces, and their usage.',
  manual: '/documentation/plans',
  operations,
  asked: {
    plans_list: 'prices, pricing, what does it cost, tiers',
    plans_get: 'my plan, usage, quota, how many hits this month, limits, how much is left, which tier',
  },
  settings,
  subscribers,
  views: () => import('./pages.tsx'),
  tables: ['workspace_plans', 'ai_questions'],
})
