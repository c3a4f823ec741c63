/** Visits, one row each. */
import { blankOf } from '../../../runtime/values/blank-record.ts'
import type { Store } from '../../../storage/store.ts'
import { VISITS_PER_VISITOR } from '../../../storage/hits/visit-ids.ts'
import { type HitRow, type VisitRow, visitDimensionNumbers, visitDimensions } from '../../../storage/tables/index.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { majorUnits } from '../../sites/collection/index.ts'
import { type SiteDay, visitsOf } from './day-rows.ts'
import type { Part } from './days.ts'
import type { Cells, Column } from './row-writer.ts'

export const visitColumns: readonly Column[] = [
  { name: 'date', type: 'text' },
  { name: 'started_at', type: 'time' },
  { name: 'visitor', type: 'text' },
  { name: 'duration_ms', type: 'int' },
  { name: 'pageviews', type: 'int' },
  { name: 'events', type: 'int' },
  { name: 'bounce', type: 'flag' },
  { name: 'revenue', type: 'real' },
  { name: 'currency', type: 'text' },
  ...visitDimensions.map((name): Column => ({ name, type: 'text' })),
]

const blank = blankOf(
  visitColumns.map(({ name }) => name),
  null,
)

export async function* visitRowsOf(store: Store, of: SiteDay): AsyncGenerator<Cells[]> {
  const { site, day, shownAs = day, part = null, texts } = of
  const [date, stored] = [dateOf(shownAs), dateOf(day)]
  for await (const some of visitsOf(store, of)) {
    const visits = part ? countedIn(some.visits, await some.hits(), part) : some.visits
    yield visits.map(visit => {
      const row: Record<string, unknown> = {
        ...blank,
        date,
        started_at: visit.started_at,
        visitor: `${stored}.${Math.floor(visit.visit_id / VISITS_PER_VISITOR)}`,
        duration_ms: visit.bounce === 1 ? 0 : visit.duration, // as reports count it: docs/analytics.md §1
        pageviews: visit.pageviews,
        events: visit.events,
        bounce: visit.bounce === 1,
        revenue: majorUnits(visit.revenue, site.currency),
        currency: site.currency,
      }
      for (const name of visitDimensions) row[name] = texts.of(visitDimensionNumbers[name].dictionary, visit[name])
      return row
    })
  }
}

/** Returns the visits with hits in this part of the day, with what was counted in it. */
function countedIn(visits: readonly VisitRow[], hits: readonly HitRow[], { from, to }: Part): VisitRow[] {
  const counted = new Map<number, { pageviews: number; events: number; revenue: number }>()
  for (const { visit_id, at, event, revenue } of hits) {
    if (at < from || at >= to) continue
    const known = counted.get(visit_id) ?? { pageviews: 0, events: 0, revenue: 0 }
    counted.set(visit_id, known)
    known[event === 0 ? 'pageviews' : 'events']++
    known.revenue += revenue
  }
  return visits.flatMap(visit => {
    const found = counted.get(visit.visit_id)
    return found ? [{ ...visit, ...found }] : []
  })
}
