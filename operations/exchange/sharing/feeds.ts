/**
 * Insights and incidents as Atom feeds, notes and maintenance as a calendar (iCalendar, RFC 5545): for programs that refresh an address.
 * The key of a shared link may be in it.
 */
import { Type } from '@sinclair/typebox'
import { text } from '../../../runtime/table/answer-kinds.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { iso, OneOf } from '../../../runtime/table/schema.ts'
import { sentenceOf } from '../../../runtime/texts/message.ts'
import { languages } from '../../../runtime/texts/reader.ts'
import { sayIn } from '../../../runtime/texts/say.ts'
import { atomFeed } from '../../../runtime/values/atom.ts'
import { instant } from '../../../runtime/ui/format.ts'
import { yieldWhereDue } from '../../../storage/system/event-loop.ts'
import { chunksOf } from '../../../storage/values/chunks.ts'
import { type LiveSite, site } from '../../sites/sites/records.ts'
import { comparedPeriods, insights } from '../../reports/insights/index.ts'
import { apply, engine } from '../../reports/stats/index.ts'
import { m } from './messages.ts'

const MAX_INSIGHTS = 20
const MAX_INCIDENTS = 50
const MAX_EVENTS = 500
const REFRESH_SECONDS = 3_600
const AUTHOR = 'Footfall'

const atom = text('application/atom+xml', { keyed: true })
const language = { language: OneOf(languages, { default: 'en', description: 'Language of the texts.' }) }

export const insights_feed = operation({
  route: 'GET /sites/{site_id}/feeds/insights',
  summary: 'Insights as an Atom feed',
  description: 'The largest changes of the last complete week, each as one entry: the feed has new entries every Monday.',
  access: 'analytics.read',
  surfaces: ['http'],
  on: site,
  effect: 'read',
  input: language,
  output: Type.String({ description: 'The feed.' }),
  answers: atom,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ site, input, db, now, use, config }) {
    const [say, periods] = [await sayIn(input.language), comparedPeriods(site, 'last_week', now)]
    const applied = await apply(db, site, now, periods)
    const { data } = await insights({ applied, periods, limit: MAX_INSIGHTS, engine: use(engine) })
    const [id, url] = [`urn:footfall:${site.id}:insights`, `${config.BASE_URL}/sites/${site.id}/insights?period=last_week`]
    const updated = Date.parse(data.period.to)
    const entries = data.rows.map(({ message, metric, dimension, value }) => {
      const of = [data.period.first_day, metric, ...(dimension === null ? [] : [dimension, encodeURIComponent(value ?? '')])]
      return { id: [id, ...of].join(':'), title: say(message), updated, url, content: say(message), contentType: 'text' as const }
    })
    const title = say(m.feed_of_insights, { site: nameOf(site) })
    return atomFeed({ id, language: input.language, title, updated, author: AUTHOR, url, entries })
  },
})

export const incidents_feed = operation({
  route: 'GET /sites/{site_id}/feeds/incidents',
  summary: 'Incidents of alerts as an Atom feed',
  description: 'The latest incidents of the alerts of the site, each as one entry, which is updated when the incident is resolved.',
  access: 'analytics.read',
  surfaces: ['http'],
  on: site,
  effect: 'read',
  input: language,
  output: Type.String({ description: 'The feed.' }),
  answers: atom,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ site, input, db, config }) {
    const say = await sayIn(input.language)
    const rows = await db
      .selectFrom('alert_incidents as i')
      .innerJoin('alerts as a', 'a.id', 'i.alert_id')
      .select(['i.id', 'i.alert_id', 'i.triggered_at', 'i.resolved_at', 'i.message', 'a.name'])
      .where('a.site_id', '=', site.id)
      .orderBy('i.triggered_at', 'desc')
      .orderBy('i.id', 'desc')
      .limit(MAX_INCIDENTS)
      .execute()
    const feedId = `urn:footfall:${site.id}:incidents`
    const reader = { locale: input.language, timezone: site.timezone, currency: site.currency }
    const entries = rows.map(({ id, alert_id, triggered_at, resolved_at, message, name }) => {
      const from = instant(iso(triggered_at), reader)
      return {
        id: `${feedId}:${id}`,
        title: message === null ? name : `${name}: ${say(sentenceOf(message))}`,
        published: triggered_at,
        updated: resolved_at ?? triggered_at,
        url: `${config.BASE_URL}/alerts/${alert_id}`,
        content: resolved_at === null ? say(m.lasts, { from }) : say(m.lasted, { from, to: instant(iso(resolved_at), reader) }),
        contentType: 'text' as const,
      }
    })
    return atomFeed({
      id: feedId,
      language: input.language,
      title: say(m.feed_of_incidents, { site: nameOf(site) }),
      updated: Math.max(site.created_at, ...entries.map(entry => entry.updated)),
      author: AUTHOR,
      url: `${config.BASE_URL}/sites/${site.id}/alerts`,
      entries,
    })
  },
})

export const notes_calendar = operation({
  route: 'GET /sites/{site_id}/feeds/calendar',
  summary: 'Notes and maintenance as a calendar',
  description: 'The latest notes of the site, and planned maintenance of its uptime checks, in the format iCalendar.',
  access: 'analytics.read',
  surfaces: ['http'],
  on: site,
  effect: 'read',
  input: language,
  output: Type.String({ description: 'The calendar.' }),
  answers: text('text/calendar', { keyed: true }),
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ site, input, db }) {
    const say = await sayIn(input.language)
    const notes = await db
      .selectFrom('notes')
      .select(['id', 'at', 'text', 'updated_at'])
      .where('site_id', '=', site.id)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_EVENTS)
      .execute()
    const maintenance = await db
      .selectFrom('status_incidents as i')
      .select(['i.id', 'i.title', 'i.starts_at', 'i.ends_at', 'i.updated_at'])
      .where('i.kind', '=', 'maintenance')
      .where('i.id', 'in', affecting =>
        affecting
          .selectFrom('status_incident_checks as s')
          .innerJoin('uptime_checks as c', 'c.number', 's.check_number')
          .select('s.incident_id')
          .where('c.site_id', '=', site.id),
      )
      .orderBy('i.starts_at', 'desc')
      .orderBy('i.id', 'desc')
      .limit(MAX_EVENTS)
      .execute()
    const events = [
      ...notes.map(({ id, at, text, updated_at }) => ({ id, summary: text, start: at, end: null, updated_at })),
      ...maintenance.map(({ id, title, starts_at, ends_at, updated_at }) => ({
        id,
        summary: title,
        start: starts_at,
        end: ends_at,
        updated_at,
      })),
    ]
    return calendarOf(say(m.calendar_of, { site: nameOf(site) }), events)
  },
})

interface CalendarEvent {
  readonly id: string
  readonly summary: string
  readonly start: number
  readonly end: number | null
  readonly updated_at: number
}

const BEGINS = '\r\nBEGIN:VEVENT'
const ENDS = '\r\nEND:VCALENDAR'
/** Events that are written at once, which takes up to 10 ms. */
const EVENTS_AT_ONCE = 25

async function calendarOf(name: string, events: readonly CalendarEvent[]): Promise<string> {
  const { ICalCalendar, ICalEventTransparency } = await import('ical-generator')
  const written = (some: readonly CalendarEvent[]): string =>
    new ICalCalendar({
      name,
      prodId: { company: 'Footfall', product: 'Calendar' },
      ttl: REFRESH_SECONDS,
      events: some.map(({ id, summary, start, end, updated_at }) => ({
        id: `${id}@footfall`,
        summary,
        start: new Date(start),
        ...(end !== null && { end: new Date(end) }),
        stamp: new Date(updated_at),
        lastModified: new Date(updated_at),
        transparency: ICalEventTransparency.TRANSPARENT,
      })),
    }).toString()
  const [head = ''] = written([]).split(ENDS)
  let content = head
  for (const some of chunksOf(events, EVENTS_AT_ONCE)) {
    const piece = written(some)
    content += piece.slice(piece.indexOf(BEGINS), piece.lastIndexOf(ENDS))
    await yieldWhereDue()
  }
  return `${content}${ENDS}\r\n`
}

const nameOf = ({ name, domain }: LiveSite): string => domain ?? name
