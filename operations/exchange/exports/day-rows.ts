/** Visits of a day in batches, in the order of their visitors, with their texts. */
import type { Db } from '../../../storage/store.ts'
import { type VisitRow, visitDimensionNumbers, visitDimensions } from '../../../storage/tables/index.ts'
import { giveWay } from '../../../storage/system/event-loop.ts'
import type { Part } from './days.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { type Texts, wantedTexts } from './texts.ts'

/** Small enough that building their rows does not block the event loop. */
const VISITS_AT_ONCE = 50

/** Ids of visits of a day. */
export type Chosen = ReadonlySet<number>

/** A day whose rows are written. */
export interface SiteDay {
  readonly site: LiveSite
  /** As stored. */
  readonly day: number
  /** Number of the day under which the rows are written; the stored one by default. */
  readonly shownAs?: number | undefined
  /** Writes only hits in this part of the day; all by default. */
  readonly part?: Part | null | undefined
  /** Of the site, cached across days. */
  readonly texts: Texts
  /** Visits to read; otherwise all. */
  readonly chosen?: Chosen | undefined
}

export interface DayOf {
  readonly site: number
  readonly day: number
}

/** @param chosen ids of the visits to read; otherwise all visits */
export async function* visitsOf(
  db: Db,
  { site, day, texts, chosen }: DayOf & Pick<SiteDay, 'texts' | 'chosen'>,
): AsyncGenerator<VisitRow[]> {
  for (let last = 0; ; ) {
    const read = await db
      .selectFrom('visits')
      .selectAll()
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('visit_id', '>', last)
      .orderBy('visit_id')
      .limit(VISITS_AT_ONCE)
      .execute()
    const visits = chosen ? read.filter(({ visit_id }) => chosen.has(visit_id)) : read
    const { wanted, add } = wantedTexts()
    for (const visit of visits) for (const name of visitDimensions) add(visitDimensionNumbers[name].dictionary, visit[name])
    await texts.load(wanted)
    await giveWay()
    if (visits.length > 0) yield visits
    if (read.length < VISITS_AT_ONCE) return
    last = read.at(-1)?.visit_id ?? last
  }
}
