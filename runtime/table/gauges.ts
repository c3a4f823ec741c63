/** Values of an area in `/metrics` that are computed on request. */
import type { Gauge } from '../observability/metrics.ts'
import type { HandlerServices } from './services.ts'

export type Gauges = (app: HandlerServices) => Promise<Gauge[]>
