import type { Static, Unit } from '../../../runtime/table/schema.ts'
import type { Metric } from './condition.ts'
import type { Alert } from './records.ts'

/** Metrics in percent. */
const ratios: ReadonlySet<Metric> = new Set<Metric>(['bounce_rate', 'conversion'])
export const isRatio = (metric: Metric | null): boolean => metric !== null && ratios.has(metric)

/** Unit of the threshold of an alert. */
export function thresholdUnit({ kind, metric }: Pick<Static<typeof Alert>, 'kind' | 'metric'>): Unit | undefined {
  if (kind === 'no_data') return 'hours'
  if (kind === 'usage') return 'percent'
  if (kind === 'ssl') return 'days'
  if (kind === 'vitals') return metric === 'cls' ? undefined : 'ms'
  return isRatio(metric) ? 'percent' : undefined
}
