/** Resolves the time parameters of a report together, and returns all of their faults at once. */
import { resolveComparison, type ComparisonInput } from './comparison.ts'
import { faultsOf, refused, resolved, type Resolved } from './faults.ts'
import { resolveInterval, type Interval } from './interval.ts'
import { resolvePeriod, type PeriodInput } from './period.ts'
import { wholeDays, type Range, type SiteClock } from './range.ts'

export interface TimeInput extends PeriodInput, ComparisonInput {
  readonly interval?: Interval | 'auto' | undefined
}

export interface Time {
  readonly range: Range
  readonly comparison: Range | null
  readonly interval: Interval
}

export const resolveTime = (asked: TimeInput, site: SiteClock): Resolved<Time> => {
  const range = resolvePeriod(asked, site)
  // The faults of a comparison depend only on its own dates. If the range is invalid, any other range finds them, too.
  const base = range.ok ? range.value : wholeDays(site.zone, { fromDay: 0, toDay: 0 })
  const comparison = resolveComparison(asked, base, site)
  if (!range.ok) return refused(...range.faults, ...faultsOf(comparison))

  const interval = resolveInterval(asked.interval ?? 'auto', range.value)
  if (comparison.ok && interval.ok) {
    return resolved({ range: range.value, comparison: comparison.value, interval: interval.value })
  }
  return refused(...faultsOf(comparison), ...faultsOf(interval))
}
