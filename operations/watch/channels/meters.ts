import { counter } from '../../../runtime/observability/metrics.ts'

export const notifications_total = counter('Messages to notification channels: `sent`, `failed`.', 'kind', 'outcome')
