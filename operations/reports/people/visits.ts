/** The visits of a person, as they are answered. */
import { iso, type Static } from '../../../runtime/table/schema.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import type { PersonRow } from '../../../storage/tables/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { type Engine, presentDays } from '../stats/index.ts'
import type { PersonVisit as FoundVisit } from '../../../storage/engine/index.ts'
import { type PersonDetail, type PersonVisit, toPerson } from './records.ts'
import type { Db } from '../../../storage/store.ts'

const MOST_SOURCES = 20
const MOST_STEPS = 200
/** The visit of an identification begins on the same day; days of another zone may differ by these. */
const AROUND_DAYS = 2

interface VisitsOf {
  readonly db: Db
  readonly engine: Engine
  readonly site: LiveSite
  readonly person: PersonRow
}

/** All visits of a person, newest first. */
export async function visitsOf({ db, engine, site, person }: VisitsOf): Promise<readonly FoundVisit[]> {
  const dayOf = (at: number) => localDay(site.timezone, at).day
  const span = { from: 0, to: 0, fromDay: dayOf(person.first_at) - AROUND_DAYS, toDay: dayOf(person.last_at) + AROUND_DAYS, whole: true }
  const calendar = await presentDays(db, site, span)
  const asked = { report: 'person', person: person.person, span } as const
  const { visits } = await engine.query({ site: site.number, where: [], goals: [], calendar, asked })
  return visits
}

export function toDetail(site: LiveSite, person: PersonRow, visits: readonly FoundVisit[]): Static<typeof PersonDetail> {
  const sum = (of: (visit: FoundVisit) => number) => visits.reduce((all, visit) => all + of(visit), 0)
  const sources = new Map<string, number>()
  for (const { texts } of visits) sources.set(texts.source, (sources.get(texts.source) ?? 0) + 1)
  return {
    ...toPerson(site, person),
    visits: visits.length,
    pageviews: sum(visit => visit.pageviews),
    events: sum(visit => visit.hits.filter(({ event }) => event !== '').length),
    revenue: sum(visit => visit.revenue),
    purchases: sum(visit => visit.purchases),
    first_visit_at: iso(visits.at(-1)?.startedAt ?? null),
    last_visit_at: iso(visits[0]?.startedAt ?? null),
    sources: [...sources]
      .map(([source, count]) => ({ source, visits: count }))
      .sort((a, b) => b.visits - a.visits || (a.source < b.source ? -1 : 1))
      .slice(0, MOST_SOURCES),
  }
}

/** @param most steps; all by default */
export const toVisit = (
  { startedAt, duration, pageviews, revenue, texts, hits }: FoundVisit,
  most = Infinity,
): Static<typeof PersonVisit> => ({
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
  steps: hits.slice(0, most).map(hit => ({
    at: iso(hit.at),
    page: hit.page,
    event: hit.event === '' ? null : hit.event,
    revenue: hit.revenue,
    properties: hit.props,
  })),
})

export const shownVisit = (visit: FoundVisit) => toVisit(visit, MOST_STEPS)
