/** Figures as pages show them. The API returns 0 for a rate or mean of nothing (docs/analytics.md §1), which reads like a measurement. */
import type { MetricName } from '../../../storage/engine/vocabulary/metrics.ts'

/** The metrics that count the base of a rate or a mean. The first one that a row has is its base. */
const bases: Readonly<Partial<Record<string, readonly MetricName[]>>> = {
  views_per_visit: ['visits'],
  bounce_rate: ['entries', 'visits'],
  visit_duration: ['entries', 'visits'],
  average_order: ['purchases'],
  exit_rate: ['pageviews'],
  time_on_page: ['visits'],
} satisfies Partial<Record<MetricName, readonly MetricName[]>>

type Figures<M extends string> = Readonly<Partial<Record<M | MetricName, unknown>>>

/** @returns null for a rate or mean of nothing; otherwise the figure of the row */
export function measured<M extends string, F extends Figures<M>>(name: M, row: F): F[M] | null {
  const base = bases[name]?.find(each => row[each] !== undefined)
  return base !== undefined && row[base] === 0 ? null : row[name]
}

/** Replaces each rate and mean of nothing by null. */
export const allMeasured = <F extends Readonly<Record<string, unknown>>>(row: F): { readonly [M in keyof F]: F[M] | null } =>
  Object.fromEntries(Object.keys(row).map(name => [name, measured(name, row)])) as { readonly [M in keyof F]: F[M] | null } // its own keys
