/** Refuses inputs of reports that would exceed the limits of a caller. */
import type { Fault } from '../../../runtime/table/errors.ts'
import type { LimitCheck } from '../../../runtime/table/report-limits.ts'
import { dateOf, localDay } from '../../../storage/calendar/zones.ts'
import { weekday } from './time/calendar.ts'
import { resolveTime, type TimeInput } from './time/resolve.ts'
import { dayTerm, fieldTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

/** Checks `period` and its related fields; a comparison reads days as well. */
export const beyondDays: LimitCheck = (_, { pointer, within: { maxDays, now, zone }, inputs }) => {
  if (maxDays === null) return []
  const today = localDay(zone, now).day
  const earliest = today - maxDays + 1
  const since = { earliest: dayTerm(dateOf(earliest)), days: maxDays }
  const fault = (at: string, field: string): Fault => ({
    pointer: at,
    code: 'too_small',
    message: m.begins_too_early({ what: fieldTerm(field), ...since }),
  })
  const asked = inputs as TimeInput // matches its schema: other faults are reported before
  if (asked.period === 'all') return [fault(pointer, 'period')]
  // The first day of the site's week is not known here, so assume the day that makes the current week begin earliest.
  const time = resolveTime(asked, { zone, now, firstHitAt: null, weekStart: weekday(today + 1) })
  if (!time.ok) return [] // the report returns its faults
  const { range, comparison } = time.value
  const faults: Fault[] = []
  if (range.fromDay < earliest) faults.push(asked.from === undefined ? fault(pointer, 'period') : fault('/from', 'from'))
  if (comparison && comparison.fromDay < earliest)
    faults.push({ pointer: '/compare', code: 'too_small', message: m.comparison_begins_too_early(since) })
  return faults
}

/** Checks a metric, or a list of metrics. */
export const hiddenMetrics: LimitCheck = (value, { pointer, within: { hidden } }) =>
  (Array.isArray(value) ? value : [value]).flatMap((name, i) =>
    hidden.has(String(name))
      ? [
          {
            pointer: Array.isArray(value) ? `${pointer}/${i}` : pointer,
            code: 'not_in_enum',
            message: m.metric_not_shared({ metric: fieldTerm(String(name)) }),
          },
        ]
      : [],
  )

/** A shared report can have only the segment of its link, because the site's segments belong to its members. */
export const ownSegmentOnly: LimitCheck = (_, { pointer }) => [
  { pointer, code: 'not_found', message: m.segment_not_chosen({ field: fieldTerm('segment_id') }) },
]
