/** Inputs of reports that could reach beyond what a caller is shown. */
import type { Fault } from '../../../runtime/table/errors.ts'
import type { LimitCheck } from '../../../runtime/table/report-limits.ts'
import { dateOf, localDay } from '../../../storage/calendar/zones.ts'

import { resolveTime, type TimeInput } from './time/resolve.ts'

/** `period` and what stands beside it; a comparison reads days as well. */
export const beyondDays: LimitCheck = (_, pointer, { maxDays, now, zone }, beside) => {
  if (maxDays === null) return []
  const earliest = localDay(zone, now).day - maxDays + 1
  const fault = (at: string, what: string): Fault => ({
    pointer: at,
    code: 'too_small',
    message: `${what} must not begin before ${dateOf(earliest)}: the last ${maxDays} days are shared here.`,
  })
  const asked = beside as TimeInput // matches its schema: other faults are told before
  if (asked.period === 'all') return [fault(pointer, 'period')]
  const time = resolveTime(asked, { zone, now, firstHitAt: null })
  if (!time.ok) return [] // the report says what is wrong with it
  const { range, comparison } = time.value
  return [
    ...(range.fromDay < earliest
      ? [fault(asked.from === undefined ? pointer : '/from', asked.from === undefined ? 'period' : 'from')]
      : []),
    ...(comparison && comparison.fromDay < earliest ? [fault('/compare', 'What is compared with')] : []),
  ]
}

/** A metric, or a list of them. */
export const hiddenMetrics: LimitCheck = (value, pointer, { hidden }) =>
  (Array.isArray(value) ? value : [value]).flatMap((name, i) =>
    hidden.has(String(name))
      ? [
          {
            pointer: Array.isArray(value) ? `${pointer}/${i}` : pointer,
            code: 'not_in_enum',
            message: `${String(name)} is not shared here.`,
          },
        ]
      : [],
  )

/** A shared report is narrowed by the segment of its link alone: segments of the site belong to its members. */
export const ownSegmentOnly: LimitCheck = (_, pointer) => [
  { pointer, code: 'not_found', message: 'segment_id cannot be chosen here: segments belong to the members of the site.' },
]
