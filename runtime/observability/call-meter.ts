/** Counts the calls of one operation, or of an endpoint by its route. */
import { meters, type Metrics } from './metrics.ts'

export type CallMeter = (surface: string, status: number, ms: number) => void

/** Looks up the labels once, since every call is counted. */
export function callMeter(metrics: Metrics, operation: string): CallMeter {
  const answers = new Map<string, Map<number, () => void>>()
  let took: ((ms: number) => void) | undefined
  return (surface, status, ms) => {
    let statuses = answers.get(surface)
    if (!statuses) answers.set(surface, (statuses = new Map()))
    let count = statuses.get(status)
    if (!count) statuses.set(status, (count = metrics.adder(meters.requests_total, { operation, surface, status })))
    count()
    took ??= metrics.observer(meters.request_duration_seconds, { operation })
    took(ms)
  }
}
