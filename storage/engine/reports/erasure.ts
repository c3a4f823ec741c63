/** Counts and finds the hits that an erasure deletes: visits that the conditions keep, or only some of their hits. */
import { allReads, columnsRead } from '../days/reads.ts'
import { windowOn } from '../days/spans.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { readsOver } from '../scan/day-counter.ts'
import { resolveAll } from '../scan/resolve.ts'
import type { Condition, Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import { VISITS_PER_VISITOR } from '../../hits/visit-ids.ts'

export interface ErasureQuestion {
  readonly report: 'erasure'
  readonly span: Span
  /** Only hits that meet all of these are deleted, and visits without another hit; null: whole visits. */
  readonly hits: readonly Condition[] | null
  /** Only visits that begin before, epoch ms. */
  readonly before: number
  /** Whether the answer has the ids of the visits, too. */
  readonly withIds: boolean
}

export interface ErasureFound {
  readonly report: 'erasure'
  /** Visits of which hits are deleted … */
  readonly visits: number
  /** … and those that are deleted as a whole. */
  readonly emptied: number
  readonly pageviews: number
  readonly events: number
  /** Minor units. */
  readonly revenue: number
  /** Number of the days with such visits. */
  readonly days: number
  /** Visits of the span, also those that stay. */
  readonly allVisits: number
  /** `visit_id` by their stored day; empty unless they were asked for. */
  readonly ids: { readonly day: number; readonly ids: number[] }[]
}

const counted = columnsRead('visits.visitor', 'visits.number', 'visits.firstHit', 'hits.at', 'hits.event', 'hits.revenue')

export const erasureReport: Report<ErasureQuestion, ErasureFound> = async ({ where }, asked, context) => {
  const { span, before, withIds } = asked
  const conditions = await resolveAll(where, context)
  const [ofHits] = asked.hits === null ? [] : await resolveAll([{ all: asked.hits }], context)
  if (asked.hits !== null && ofHits?.on !== 'hits') throw new Error('conditions of hits were resolved to something else')
  const tests = ofHits?.on === 'hits' ? ofHits.all : null
  const reads = allReads([readsOfConditions([...conditions, ...(ofHits ? [ofHits] : [])]), counted])
  const sum = { visits: 0, emptied: 0, pageviews: 0, events: 0, revenue: 0, allVisits: 0 }
  const ids: ErasureFound['ids'] = []
  const days = new Set<number>()
  return {
    spans: [span],
    reads: readsOver(span, { whole: reads, part: reads }),
    scans: true,
    add(day) {
      if (windowOn(span, day) === undefined) return
      const mask = context.workspace.masks.of(day, conditions)
      const met = tests && context.workspace.met.of(day, tests)
      const { startsAt, cut } = day
      const { count, visitor, number, firstHit } = day.visits
      const { at, event, revenue } = day.hits
      const own: number[] = []
      for (let v = 0; v < count; v++) {
        const [from, to] = [firstHit[v] ?? 0, firstHit[v + 1] ?? 0]
        const startedAt = startsAt + (at[from] ?? 0)
        // A visit over a midnight of the present time zone belongs to the day on which it began.
        if (startedAt >= before || (cut && (startedAt < cut.from || startedAt >= cut.to))) continue
        sum.allVisits++
        if (mask !== null && mask[v] === 0) continue
        let gone = 0
        for (let h = from; h < to; h++) {
          if (met !== null && met[h] === 0) continue
          gone++
          if (event[h] === 0) sum.pageviews++
          else sum.events++
          sum.revenue += revenue[h] ?? 0
        }
        if (gone === 0) continue
        sum.visits++
        if (gone === to - from) sum.emptied++
        days.add(day.day)
        if (withIds) own.push((visitor[v] ?? 0) * VISITS_PER_VISITOR + (number[v] ?? 0))
      }
      if (own.length > 0) ids.push({ day: day.stored ?? day.day, ids: own })
    },
    answer: () => ({ report: 'erasure', ...sum, days: days.size, ids }),
  }
}
