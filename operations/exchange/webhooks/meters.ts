import { counter, histogram } from '../../../runtime/observability/metrics.ts'

export const webhook_deliveries_total = counter('Attempts to deliver to a webhook: `succeeded`, `failed`.', 'outcome')
export const webhook_delivery_duration_seconds = histogram('Duration of an attempt.')
