/** A series over time and its comparison: the query, and the conversion to points. */
import { type Applied, spanOf } from './applied.ts'
import type { Span } from '../../../storage/engine/vocabulary/scope.ts'
import { headlineOf } from './chosen.ts'
import { figuresOf, type Joined, nothing } from './with-imported.ts'
import { alignBuckets } from './time/align.ts'
import { buckets } from './time/buckets.ts'
import type { Range } from './time/range.ts'

/**
 * Divides a range and its comparison into points.
 * @returns two series of spans for the engine. `pairedSpans` has the span of the comparison for each point, or null. `shown` converts the
 *   sums of the engine to points; `shownBy` does so with other metrics than the headline
 */
export function seriesOf({ range, comparison, interval, site }: Applied) {
  const { timezone, week_start } = site
  const points = buckets({ range, interval, zone: timezone, weekStart: week_start })
  const comparisonPoints = comparison ? alignBuckets({ main: points, comparison, interval, zone: timezone, weekStart: week_start }) : []
  // Hours never count as days, even if a day has only one so far, because a day with older boundaries may have
  // other hours.
  const ofDays = interval !== 'hour' && interval !== 'minute'
  const spanIn = (point: Parameters<typeof spanOf>[1], whole: Range): Span => {
    const span = spanOf(timezone, point, whole)
    return ofDays ? span : { ...span, whole: false }
  }
  const spans = points.map(point => spanIn(point, range))
  const pairedSpans = comparisonPoints.map(point => (point && comparison ? spanIn(point, comparison) : null))
  const comparisonSpans = pairedSpans.flatMap(span => span ?? [])

  const shownBy =
    <F extends object>(of: (sums: Joined) => F) =>
    (now: readonly Joined[], before: readonly Joined[]) => {
      const left = before.values()
      return {
        series: points.map(({ label, partial }, i) => ({ at: label, partial, ...of(now[i] ?? nothing) })),
        comparisonSeries: comparisonPoints.map(point => ({
          at: point?.label ?? null,
          partial: point?.partial ?? false,
          ...of((point && left.next().value) ?? nothing),
        })),
      }
    }
  return { points, spans, comparisonSpans, pairedSpans, shownBy, shown: shownBy(sums => figuresOf(headlineOf(site), sums)) }
}
