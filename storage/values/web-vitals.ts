/**
 * Core Web Vitals: one row each, with Google's thresholds (web.dev/articles/vitals and the article on each metric):
 * good up to the first, poor above the second. They apply to the 75th percentile and to single page loads.
 */

interface Row {
  readonly name: string
  readonly unit: 'ms' | 'score'
  readonly good: number
  readonly poor: number
  /** Stored units in one unit of the metric. */
  readonly scale: number
}

export const webVitals = {
  lcp: { name: 'Largest Contentful Paint', unit: 'ms', good: 2_500, poor: 4_000, scale: 1 },
  inp: { name: 'Interaction to Next Paint', unit: 'ms', good: 200, poor: 500, scale: 1 },
  cls: { name: 'Cumulative Layout Shift', unit: 'score', good: 0.1, poor: 0.25, scale: 1_000 },
  fcp: { name: 'First Contentful Paint', unit: 'ms', good: 1_800, poor: 3_000, scale: 1 },
  ttfb: { name: 'Time to First Byte', unit: 'ms', good: 800, poor: 1_800, scale: 1 },
} as const satisfies Record<string, Row>

export type VitalName = keyof typeof webVitals
/** Ordered by their numbers in columns. */
export const vitalNames = Object.freeze(['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const satisfies readonly VitalName[])

export const RATINGS = Object.freeze(['good', 'needs_improvement', 'poor'] as const)
export type Rating = (typeof RATINGS)[number]

/** @param value in the unit of the metric */
export function ratingOf(metric: VitalName, value: number): Rating {
  const { good, poor } = webVitals[metric]
  return value <= good ? 'good' : value <= poor ? 'needs_improvement' : 'poor'
}
