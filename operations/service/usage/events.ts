import { Type } from '@sinclair/typebox'
import { event } from '../../../runtime/events/event.ts'
import { record } from '../../../runtime/table/schema.ts'

export const usage_threshold = event({
  type: 'usage.threshold',
  summary: 'The hits of a workspace reached 80, 90 or 100 percent of the monthly limit for the first time in a month.',
  data: record(
    'UsageThresholdEvent',
    {
      percent: Type.Integer({ unit: 'percent', description: '80, 90 or 100.' }),
      limit: Type.Integer({ unit: 'count', description: 'Hits that the workspace may send in a month.' }),
    },
    'How much of the limit is used.',
  ),
})
