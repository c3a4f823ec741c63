/** Visits, one row each. */
import { sql } from 'kysely'
import { blankOf } from '../../../runtime/values/blank-record.ts'
import type { Db } from '../../../storage/store.ts'
import { VISITS } from '../../../storage/hits/visit-rows.ts'
import { type VisitRow, visitDimensionNumbers, visitDimensions } from '../../../storage/tables/index.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { majorUnits } from '../../sites/collection/index.ts'
import { type DayOf, type SiteDay, visitsOf } from './day-rows.ts'
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

export async function* visitRowsOf(db: Db, { site, day, shownAs = day, part = null, texts, chosen }: SiteDay): AsyncGenerator<Cells[]> {
  const [date, stored] = [dateOf(shownAs), dateOf(day)]
  for await (const all of visitsOf(db, { site: site.number, day, texts, chosen })) {
    const visits = part ? await countedIn(db, { site: site.number, day, visits: all, part }) : all
    yield visits.map(visit => {
      const row: Record<string, unknown> = {
        ...blank,
        date,
        started_at: visit.started_at,
        visitor: `${stored}.${Math.floor(visit.visit_id / VISITS)}`,
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
async function countedIn(
  db: Db,
  { site, day, visits, part }: DayOf & { readonly visits: readonly VisitRow[]; readonly part: Part },
): Promise<VisitRow[]> {
  const [first, last] = [visits[0]?.visit_id ?? 0, visits.at(-1)?.visit_id ?? 0]
  const rows = await db
    .selectFrom('hits')
    .select(['visit_id', sql<number>`sum(case when event = 0 then 1 else 0 end)`.as('pageviews')])
    .select(({ fn }) => [fn.countAll<number>().as('hits'), fn.sum<number>('revenue').as('revenue')])
    .where('site_id', '=', site)
    .where('day', '=', day)
    .where('visit_id', '>=', first)
    .where('visit_id', '<=', last)
    .where('at', '>=', part.from)
    .where('at', '<', part.to)
    .groupBy('visit_id')
    .execute()
  const counted = new Map(rows.map(row => [Number(row.visit_id), row]))
  return visits.flatMap(visit => {
    const found = counted.get(visit.visit_id)
    if (!found) return []
    const pageviews = Number(found.pageviews)
    return [{ ...visit, pageviews, events: Number(found.hits) - pageviews, revenue: Number(found.revenue) }]
  })
}
