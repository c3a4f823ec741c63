/** Visits, one row each. */
import { blankOf } from '../../../runtime/values/blank-record.ts'
import type { Db } from '../../../storage/store.ts'
import { VISITS } from '../../../storage/hits/visit-rows.ts'
import { visitDimensionNumbers, visitDimensions } from '../../../storage/tables/index.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { majorUnits } from '../../sites/collection/index.ts'
import { type SiteDay, visitsOf } from './day-rows.ts'
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

export async function* visitRowsOf(db: Db, { site, day, texts, chosen }: SiteDay): AsyncGenerator<Cells[]> {
  const date = dateOf(day)
  for await (const visits of visitsOf(db, { site: site.number, day, texts, chosen })) {
    yield visits.map(visit => {
      const row: Record<string, unknown> = {
        ...blank,
        date,
        started_at: visit.started_at,
        visitor: `${date}.${Math.floor(visit.visit_id / VISITS)}`,
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
