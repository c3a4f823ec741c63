/** Visits of a day in pieces, in the order of their visitors, and what belongs to them. */
import type { Db } from '../../../storage/store.ts'
import { type VisitRow, visitDimensionNumbers, visitDimensions } from '../../../storage/tables/index.ts'
import { type Texts, wantedTexts } from './texts.ts'

/** Small enough that making their rows does not hold up the event loop. */
const VISITS_AT_ONCE = 100

export interface DayOf {
  readonly site: number
  readonly day: number
}

export async function* visitsOf(db: Db, { site, day }: DayOf, texts: Texts): AsyncGenerator<VisitRow[]> {
  for (let last = 0; ; ) {
    const visits = await db
      .selectFrom('visits')
      .selectAll()
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('visit_id', '>', last)
      .orderBy('visit_id')
      .limit(VISITS_AT_ONCE)
      .execute()
    const { wanted, add } = wantedTexts()
    for (const visit of visits) for (const name of visitDimensions) add(visitDimensionNumbers[name].dictionary, visit[name])
    await texts.load(wanted)
    if (visits.length > 0) yield visits
    if (visits.length < VISITS_AT_ONCE) return
    last = visits.at(-1)?.visit_id ?? last
  }
}
