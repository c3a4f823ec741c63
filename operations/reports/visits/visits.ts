/** Queries the engine for single visits, and converts them to the form of the API. */
import type { Caller } from '../../../runtime/table/caller.ts'
import { iso, type Static } from '../../../runtime/table/schema.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import type { LoggedVisit, VisitPlace } from '../../../storage/engine/index.ts'
import type { Goal } from '../../../storage/engine/vocabulary/scope.ts'
import type { Db } from '../../../storage/store.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { type Applied, type Engine, goalsOf, periodOf, presentDays, queryOf, type Report, spanOf, withNotes } from '../stats/index.ts'
import { newestVisits } from '../stats/index.ts'
import { cursorOf, visitId } from '../stats/index.ts'
import type { Visit, VisitList, VisitTimeline } from './records.ts'

interface Reading {
  readonly db: Db
  readonly caller: Caller
  readonly engine: Engine
}
interface Listing extends Reading {
  readonly after: VisitPlace | null
  readonly limit: number
}

export async function listed(applied: Applied, { after, limit, ...reading }: Listing): Promise<Report<Static<typeof VisitList>>> {
  const { range, site, goals, meta } = applied
  const asked = { scope: queryOf(applied), span: spanOf(site.timezone, range, range), site, person: null, hits: null }
  const { visits: found, notes } = await newestVisits(reading.engine, { ...asked, after, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const persons = await personsOf(site, rows, reading)
  return {
    data: {
      period: periodOf(range),
      rows: rows.map(visit => shown(visit, { goals, persons })),
      next_cursor: last && found.length > limit ? cursorOf(last) : null,
    },
    meta: withNotes(meta, notes),
  }
}

interface One extends Reading {
  readonly place: VisitPlace
  readonly page: number
  readonly limit: number
}

/** Undefined if there is no such visit. */
export async function timeline(site: LiveSite, { place, page, limit, ...reading }: One): Promise<Static<typeof VisitTimeline> | undefined> {
  const { db, engine } = reading
  const { day } = localDay(site.timezone, place.startedAt)
  const span = { from: place.startedAt, to: place.startedAt + 1, fromDay: day - 1, toDay: day + 1, whole: false }
  const goals = await goalsOf(db, site)
  const calendar = await presentDays(db, site, span)
  const hits = { offset: (page - 1) * limit, limit }
  const asked = { report: 'visit_log', span, person: null, after: null, only: place, limit: 1, hits } as const
  const {
    visits: [visit],
  } = await engine.query({ site: site.number, where: [], goals, calendar, zone: site.timezone, asked })
  if (!visit) return undefined
  const safe = await exportSafe(db, site.id)
  const isLeftOut = visit.hits.some(({ props }) => Object.keys(props).some(key => !safe.has(key)))
  return {
    ...shown(visit, { goals, persons: await personsOf(site, [visit], reading) }),
    steps: visit.hits.map(({ at, page: path, event, revenue, engaged, scroll, props }) => ({
      at: iso(at),
      page: path,
      event: event === '' ? null : event,
      revenue,
      engaged,
      scroll,
      properties: Object.fromEntries(Object.entries(props).filter(([key]) => safe.has(key))),
    })),
    steps_total: visit.pageviews + visit.events,
    ...(isLeftOut && { has_other_properties: true }),
  }
}

const exportSafe = async (db: Db, siteId: string): Promise<ReadonlySet<string>> => {
  const rows = await db.selectFrom('property_settings').select('key').where('site_id', '=', siteId).where('export_safe', '=', 1).execute()
  return new Set(rows.map(({ key }) => key))
}

/** Ids of persons by number. Readers of a shared link do not learn who is a person. */
async function personsOf(
  { number }: LiveSite,
  visits: readonly LoggedVisit[],
  { db, caller }: Reading,
): Promise<ReadonlyMap<number, string>> {
  const wanted = [...new Set(visits.map(({ person }) => person))].filter(person => person !== 0)
  if (wanted.length === 0 || caller.kind === 'share') return new Map()
  const rows = await db.selectFrom('persons').select(['person', 'id']).where('site_id', '=', number).where('person', 'in', wanted).execute()
  return new Map(rows.map(({ person, id }) => [person, id]))
}

interface Known {
  readonly goals: readonly Goal[]
  readonly persons: ReadonlyMap<number, string>
}

function shown(visit: LoggedVisit, { goals, persons }: Known): Static<typeof Visit> {
  const { texts, startedAt, person, duration, pageviews, events, revenue } = visit
  return {
    id: visitId(visit),
    started_at: iso(startedAt),
    person_id: persons.get(person) ?? null,
    channel: texts.channel,
    source: texts.source,
    referrer: texts.referrer,
    utm_campaign: texts.utm_campaign,
    country: texts.country,
    region: texts.region,
    city: texts.city,
    device: texts.device,
    browser: texts.browser,
    os: texts.os,
    language: texts.language,
    hostname: texts.hostname,
    entry_page: texts.entry_page,
    exit_page: texts.exit_page,
    duration,
    pageviews,
    events,
    revenue,
    goals: visit.goals.map(id => goals.find(goal => goal.id === id)?.name ?? ''),
  }
}
