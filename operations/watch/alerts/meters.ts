import { counter } from '../../../runtime/observability/metrics.ts'

export const alert_evaluations_total = counter('Alerts evaluated: `ok`, `breach`, `unknown`, `failed`.', 'kind', 'outcome')
