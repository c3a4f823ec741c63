import { counter } from '../../../runtime/observability/metrics.ts'

export const hits_total = counter('Received hits by outcome: `stored`, or the reason for dropping them.', 'outcome')
