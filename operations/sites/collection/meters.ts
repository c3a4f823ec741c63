import { counter } from '../../../runtime/observability/metrics.ts'

export const hits_total = counter('Hits received: `stored`, or why they were dropped.', 'outcome')
