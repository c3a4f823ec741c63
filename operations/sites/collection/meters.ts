import { counter } from '../../../runtime/metrics.ts'

export const hits_total = counter('Hits received: `stored`, or why they were dropped.', 'outcome')
