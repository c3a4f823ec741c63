import { counter } from '../../../runtime/observability/metrics.ts'

export const hits_total = counter(
  'Received hits by outcome: `stored`, `waits` (for the database, on the disk), or the reason for dropping them.',
  'outcome',
)
