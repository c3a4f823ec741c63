import { counter, histogram } from '../../../runtime/observability/metrics.ts'

export const uptime_probes_total = counter('Probes of targets: `ok`, or the cause of the failure.', 'kind', 'outcome')
export const uptime_probe_lateness_seconds = histogram('Time from the due time of a probe to its start.')
