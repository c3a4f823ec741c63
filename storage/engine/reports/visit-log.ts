/** Single visits, newest first: all that conditions keep, all visits of a person, or one. (Every `!` is inside bounds.) */
import type { Day } from '../days/day.ts'
import { allReads } from '../days/reads.ts'
import { windowOn } from '../days/spans.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { readsOver } from '../scan/day-counter.ts'
import { insert } from '../scan/best.ts'
import { bitsOfHits, GOALS_AT_ONCE, readsOfGoals, setsOfGoals } from '../scan/goals.ts'
import { resolveAll } from '../scan/resolve.ts'
import {
  detailsRead,
  type HitDetail,
  hitDetailsRead,
  idOfVisit,
  startOfVisit,
  type VisitDetail,
  visitDetails,
} from '../scan/visit-details.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'

/** The place of a visit in the order of visits. */
export interface VisitPlace {
  /** Epoch ms. */
  readonly startedAt: number
  readonly id: number
}
export interface VisitLogQuestion {
  readonly report: 'visit_log'
  /** Visits that began in it. */
  readonly span: Span
  /** Only visits of this person. */
  readonly person: number | null
  /** Only visits that come after this one, which are earlier ones. */
  readonly after: VisitPlace | null
  /** Only this visit. */
  readonly only: VisitPlace | null
  readonly limit: number
  /** Which of the hits of each visit; null for none. */
  readonly hits: { readonly offset: number; readonly limit: number } | null
}
export interface LoggedVisit extends VisitDetail {
  /** Goals of the scope that it completed, by their ids. */
  readonly goals: readonly string[]
  readonly hits: readonly HitDetail[]
}
export interface VisitLog {
  readonly report: 'visit_log'
  readonly visits: readonly LoggedVisit[]
}

/** The order of visits: the newest first. */
export const later = (a: VisitPlace, b: VisitPlace): number => b.startedAt - a.startedAt || b.id - a.id

export const visitLogReport: Report<VisitLogQuestion, VisitLog> = async ({ where, goals }, asked, context) => {
  const { span, person, after, only, limit } = asked
  const { texts, workspace } = context
  const conditions = await resolveAll(where, context)
  const sets = await setsOfGoals(goals, texts)
  const details = await visitDetails(texts)
  const reads = allReads([detailsRead, ...(asked.hits ? [hitDetailsRead] : []), readsOfConditions(conditions), ...sets.map(readsOfGoals)])
  /** In order, at most as many as are wanted. */
  let found: LoggedVisit[] = []

  function chosenOf(day: Day): (VisitPlace & { readonly visit: number })[] {
    const window = windowOn(span, day)
    if (window === undefined) return []
    const { cut, startsAt } = day
    const mask = workspace.masks.of(day, conditions)
    const chosen: (VisitPlace & { readonly visit: number })[] = []
    const last = () => chosen[limit - 1] ?? found[limit - 1]
    for (let visit = 0; visit < day.visits.count; visit++) {
      if (mask !== null && mask[visit] === 0) continue
      if (person !== null && day.visits.person[visit] !== person) continue
      const startedAt = startOfVisit(day, visit)
      if (window !== null && (startedAt - startsAt < window.from || startedAt - startsAt >= window.to)) continue
      if (cut && (startedAt < cut.from || startedAt >= cut.to)) continue // a view of another day has it
      const place = { startedAt, id: idOfVisit(day, visit), visit }
      if (after !== null && later(place, after) <= 0) continue
      if (only !== null && later(place, only) !== 0) continue
      const worst = last()
      if (worst && later(place, worst) > 0) continue
      insert(chosen, place, later)
      if (chosen.length > limit) chosen.pop()
    }
    return chosen
  }

  return {
    spans: [span],
    reads: readsOver(span, { whole: reads, part: reads }),
    scans: true,
    async add(day) {
      const chosen = chosenOf(day)
      if (chosen.length === 0) return
      const completed = completedBy(
        sets.map(set => bitsOfHits(set, day)),
        day,
        chosen.map(({ visit }) => visit),
      )
      for (const { visit } of chosen) {
        found.push({
          ...details.visit(day, visit),
          goals: (completed.get(visit) ?? []).map(place => goals[place]?.id ?? ''),
          hits: asked.hits ? await details.hits(day, visit, asked.hits) : [],
        })
      }
      found = found.sort(later).slice(0, limit)
    },
    answer: () => ({ report: 'visit_log', visits: found }),
  }
}

/** The places of the goals that visits completed. */
function completedBy(sets: readonly Uint32Array[], { visits }: Day, some: readonly number[]): Map<number, number[]> {
  return new Map(
    some.map(visit => {
      const places = sets.flatMap((bits, set) => {
        let any = 0
        for (let h = visits.firstHit[visit]!; h < visits.firstHit[visit + 1]!; h++) any |= bits[h]!
        return Array.from({ length: GOALS_AT_ONCE }, (_, bit) => bit).flatMap(bit => ((any >>> bit) & 1 ? set * GOALS_AT_ONCE + bit : []))
      })
      return [visit, places] as const
    }),
  )
}
