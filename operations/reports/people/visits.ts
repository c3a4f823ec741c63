/** The visits of a person, as they are answered. */
import { iso, type Static } from '../../../runtime/table/schema.ts'
import { dayStart, localDay } from '../../../storage/calendar/zones.ts'
import type { PersonRow } from '../../../storage/tables/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { type Engine, presentDays } from '../stats/index.ts'
import type { LoggedVisit, PersonSums, VisitPlace } from '../../../storage/engine/index.ts'
import type { Scope, Span } from '../../../storage/engine/vocabulary/scope.ts'
import { newestVisits } from '../stats/index.ts'
import { type PersonDetail, type PersonVisit, toPerson } from './records.ts'
import type { Db } from '../../../storage/store.ts'

const MAX_SOURCES = 20
const MAX_STEPS = 200
/** The visit of an identification begins on the same day; days of another zone may differ by these. */
const AROUND_DAYS = 2

interface VisitsOf {
  readonly db: Db
  readonly engine: Engine
  readonly site: LiveSite
  readonly person: PersonRow
}

/** The days that may have visits of the person. */
function spanOf({ site, person }: VisitsOf): Span {
  const dayOf = (at: number) => localDay(site.timezone, at).day
  const [fromDay, toDay] = [dayOf(person.first_at) - AROUND_DAYS, dayOf(person.last_at) + AROUND_DAYS]
  return { from: dayStart(site.timezone, fromDay), to: dayStart(site.timezone, toDay + 1), fromDay, toDay, whole: true }
}

const scopeOf = async (of: VisitsOf): Promise<Scope> => ({
  site: of.site.number,
  where: [],
  goals: [],
  calendar: await presentDays(of.db, of.site, spanOf(of)),
})

/** Sums of what the person did. @param skip how many of the newest visits a page of them leaves out */
async function sumsOf(of: VisitsOf, skip = 0): Promise<PersonSums> {
  const asked = { report: 'person', person: of.person.person, span: spanOf(of), skip, sources: MAX_SOURCES } as const
  return of.engine.query({ ...(await scopeOf(of)), asked })
}

interface Some {
  readonly after: VisitPlace | null
  readonly limit: number
  readonly hits: { readonly offset: number; readonly limit: number } | null
}
async function visitsOf(of: VisitsOf, some: Some): Promise<readonly LoggedVisit[]> {
  const { engine, site, person } = of
  const { visits } = await newestVisits(engine, { scope: await scopeOf(of), span: spanOf(of), site, person: person.person, ...some })
  return visits
}

export async function detailOf(of: VisitsOf): Promise<Static<typeof PersonDetail>> {
  const { visits, pageviews, events, revenue, purchases, firstAt, lastAt, sources } = await sumsOf(of)
  return {
    ...toPerson(of.site, of.person),
    ...{ visits, pageviews, events, revenue, purchases },
    first_visit_at: iso(firstAt),
    last_visit_at: iso(lastAt),
    sources: [...sources],
  }
}

/** A page of the visits, newest first. */
export async function pageOfVisits(of: VisitsOf, { offset, limit }: { readonly offset: number; readonly limit: number }) {
  const { visits: total, place } = await sumsOf(of, offset)
  const visits = offset >= total ? [] : await visitsOf(of, { after: place, limit, hits: { offset: 0, limit: MAX_STEPS } })
  return { rows: visits.map(toVisit), total }
}

/** Most pages and events of a part of an export, so that its memory is bounded. */
const HITS_OF_PART = 20_000
const VISITS_AT_ONCE = 200

/** Where a part of an export begins: after a visit, or within the one after it. */
export interface PartPlace {
  readonly after: VisitPlace | null
  /** Hits of the first visit that earlier parts have. */
  readonly offset: number
}

/**
 * A part of all visits with all of their hits, newest first. A visit with more hits than a part has goes on in the next one.
 * @param max hits of a part
 */
export async function exportedVisits(
  of: VisitsOf,
  { after, offset }: PartPlace,
  max = HITS_OF_PART,
): Promise<{ visits: Visit[]; next: PartPlace | null }> {
  const visits: Visit[] = []
  let place: PartPlace = { after, offset }
  for (let left = max; ; ) {
    const some = await visitsOf(of, { after: place.after, limit: VISITS_AT_ONCE, hits: null })
    const sizes = some.map(({ pageviews, events }, i) => Math.max(0, pageviews + events - (i === 0 ? place.offset : 0)))
    const [first] = sizes
    if (first === undefined) return { visits, next: null }
    const isTooLong = first > left
    if (isTooLong && left < max) return { visits, next: place }
    const limit = isTooLong || place.offset > 0 ? 1 : countWithin(sizes, left)
    const found = await visitsOf(of, { after: place.after, limit, hits: { offset: place.offset, limit: left } })
    const last = found.at(-1)
    if (!last) return { visits, next: null }
    visits.push(...found.map(toVisit))
    if (isTooLong) return { visits, next: { after: place.after, offset: place.offset + left } }
    left -= sizes.slice(0, limit).reduce((sum, size) => sum + size, 0)
    place = { after: last, offset: 0 }
  }
}

/** How many of the first sizes fit together. */
function countWithin(sizes: readonly number[], max: number): number {
  let left = max
  const end = sizes.findIndex(size => (left -= size) < 0)
  return end < 0 ? sizes.length : end
}

type Visit = Static<typeof PersonVisit>
export const toVisit = ({ startedAt, duration, pageviews, revenue, texts, hits }: LoggedVisit): Visit => ({
  started_at: iso(startedAt),
  duration,
  pageviews,
  revenue,
  source: texts.source,
  channel: texts.channel,
  utm_campaign: texts.utm_campaign,
  country: texts.country,
  device: texts.device,
  browser: texts.browser,
  entry_page: texts.entry_page,
  exit_page: texts.exit_page,
  steps: hits.map(hit => ({
    at: iso(hit.at),
    page: hit.page,
    event: hit.event === '' ? null : hit.event,
    revenue: hit.revenue,
    properties: hit.props,
  })),
})
