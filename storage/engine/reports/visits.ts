/** Which visits of one day the conditions keep: what an export of a part of a site's data consists of. */
import { allReads, columnsRead } from '../days/reads.ts'
import { windowOn } from '../days/spans.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { readsOver } from '../scan/day-counter.ts'
import { resolveAll } from '../scan/resolve.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import { VISITS_PER_VISITOR } from '../../hits/visit-ids.ts'

export interface VisitsQuestion {
  readonly report: 'visits'
  /** A local day, whole. */
  readonly day: number
}
export interface VisitsFound {
  readonly report: 'visits'
  /** `visit_id`, ascending, by the start of the stored day that has them. More than one after a change of the time zone. */
  readonly days: { readonly startsAt: number; readonly ids: number[] }[]
}

export const visitsReport: Report<VisitsQuestion, VisitsFound> = async ({ where }, { day: wanted }, context) => {
  const conditions = await resolveAll(where, context)
  const span: Span = { from: 0, to: 0, fromDay: wanted, toDay: wanted, whole: true }
  const reads = allReads([readsOfConditions(conditions), columnsRead('visits.visitor', 'visits.number')])
  const days: VisitsFound['days'] = []
  return {
    spans: [span],
    reads: readsOver(span, { whole: reads, part: reads }),
    scans: true,
    add(day) {
      if (windowOn(span, day) === undefined) return
      const mask = context.workspace.masks.of(day, conditions)
      const { count, visitor, number } = day.visits
      const ids: number[] = []
      for (let v = 0; v < count; v++) {
        if (mask === null || mask[v] === 1) ids.push((visitor[v] ?? 0) * VISITS_PER_VISITOR + (number[v] ?? 0))
      }
      days.push({ startsAt: day.startsAt, ids })
    },
    answer: () => ({ report: 'visits', days }),
  }
}
