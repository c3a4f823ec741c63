/** Visits of a day in batches, in the order of their visitors, with their texts. */
import type { Store } from '../../../storage/store.ts'
import { visitDimensionNumbers, visitDimensions } from '../../../storage/tables/index.ts'
import { giveWay } from '../../../storage/system/event-loop.ts'
import { type SomeVisits, storedVisits } from '../../../storage/moved-days/stored-visits.ts'
import type { Part } from './days.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { type Texts, wantedTexts } from './texts.ts'

/** Ids of visits of a day. */
export type Chosen = ReadonlySet<number>

/** A day whose rows are written. */
export interface SiteDay {
  readonly site: LiveSite
  /** Number of the stored day. */
  readonly day: number
  /** Number of the day under which the rows are written; the stored one by default. */
  readonly shownAs?: number | undefined
  /** Writes only hits in this part of the day; all by default. */
  readonly part?: Part | null | undefined
  /** Texts of the site, cached across days. */
  readonly texts: Texts
  /** Visits to read; otherwise all. */
  readonly chosen?: Chosen | undefined
  /** Epoch ms. */
  readonly now: number
}

/** @param chosen ids of the visits to read; otherwise all visits */
export async function* visitsOf(store: Store, { site, day, texts, chosen, now }: SiteDay): AsyncGenerator<SomeVisits> {
  for await (const some of storedVisits(store, { site: site.number, day }, now)) {
    const visits = chosen ? some.visits.filter(({ visit_id }) => chosen.has(visit_id)) : some.visits
    const { wanted, add } = wantedTexts()
    for (const visit of visits) for (const name of visitDimensions) add(visitDimensionNumbers[name].dictionary, visit[name])
    await texts.load(wanted)
    await giveWay()
    if (visits.length > 0) yield { ...some, visits }
  }
}
