/** Counts the calls of one operation, or of an endpoint by its route. */
import { meters, type Metrics } from './metrics.ts'
import type { Surface } from './operation.ts'

export type CallMeter = (surface: Surface, status: number, ms: number) => void

/** What a call is counted under is found the first time: this stands in the way of every call. */
export function callMeter(metrics: Metrics, operation: string): CallMeter {
  const answers = { http: new Map<number, () => void>(), mcp: new Map<number, () => void>() }
  let took: ((ms: number) => void) | undefined
  return (surface, status, ms) => {
    let count = answers[surface].get(status)
    if (!count) answers[surface].set(status, count = metrics.adder(meters.requests_total, { operation, surface, status }))
    count()
    took ??= metrics.observer(meters.request_duration_seconds, { operation })
    took(ms)
  }
}
