/**
 * Insights and incidents as Atom feeds (RFC 4287), notes and maintenance as a calendar (RFC 5545): for programs that refresh an address. The
 * key of a shared link may be in it.
 */
import { Type } from '@sinclair/typebox'
import { text } from '../../../runtime/table/answer-kinds.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { iso, OneOf } from '../../../runtime/table/schema.ts'
import { sentenceOf } from '../../../runtime/texts/message.ts'
import { languages } from '../../../runtime/texts/reader.ts'
import { sayIn } from '../../../runtime/texts/say.ts'
import { xmlText } from '../../../runtime/values/xml-text.ts'
import { instant } from '../../../runtime/ui/format.ts'
import { type LiveSite, site } from '../../sites/sites/records.ts'
import { insightDays, insights } from '../../reports/insights/index.ts'
import { apply, engine } from '../../reports/stats/index.ts'
import { m } from './messages.ts'

const MAX_INSIGHTS = 20
const MAX_INCIDENTS = 50
const MAX_EVENTS = 500

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
    const [say, asked] = [await sayIn(input.language), insightDays(site, 'last_week', now)]
    const applied = await apply(db, site, now, asked)
    const { data } = await insights({ applied, asked, limit: MAX_INSIGHTS, engine: use(engine) })
    const path = `/sites/${site.id}/insights?period=last_week`
    const entries = data.rows.map(({ message, metric, dimension, value }) => ({
      id: [data.period.first_day, metric, ...(dimension === null ? [] : [dimension, encodeURIComponent(value ?? '')])].join(':'),
      title: say(message),
      at: Date.parse(data.period.to),
      path,
    }))
    return feed(
      { site, kind: 'insights', title: say(m.feed_of_insights, { site: nameOf(site) }), entries, path, since: Date.parse(data.period.to) },
      config.BASE_URL,
    )
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
    const reader = { locale: input.language, timezone: site.timezone, currency: site.currency }
    const entries = rows.map(({ id, alert_id, triggered_at, resolved_at, message, name }) => {
      const from = instant(iso(triggered_at), reader)
      return {
        id,
        title: message === null ? name : `${name}: ${say(sentenceOf(message))}`,
        content: resolved_at === null ? say(m.lasts, { from }) : say(m.lasted, { from, to: instant(iso(resolved_at), reader) }),
        at: resolved_at ?? triggered_at,
        path: `/alerts/${alert_id}`,
      }
    })
    const title = say(m.feed_of_incidents, { site: nameOf(site) })
    return feed({ site, kind: 'incidents', title, entries, path: `/sites/${site.id}/alerts`, since: site.created_at }, config.BASE_URL)
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
      ...notes.map(({ id, at, text, updated_at }) => ({ id, title: text, from: at, to: null, updated_at })),
      ...maintenance.map(({ id, title, starts_at, ends_at, updated_at }) => ({ id, title, from: starts_at, to: ends_at, updated_at })),
    ]
    const lines = events.flatMap(({ id, title, from, to, updated_at }) => [
      'BEGIN:VEVENT',
      `UID:${id}@footfall`,
      `DTSTAMP:${utc(updated_at)}`,
      `LAST-MODIFIED:${utc(updated_at)}`,
      `DTSTART:${utc(from)}`,
      ...(to === null ? [] : [`DTEND:${utc(to)}`]),
      `SUMMARY:${icalText(title)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ])
    const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Footfall//Calendar//EN']
    const name = `X-WR-CALNAME:${icalText(say(m.calendar_of, { site: nameOf(site) }))}`
    return [...head, name, 'REFRESH-INTERVAL;VALUE=DURATION:PT1H', ...lines, 'END:VCALENDAR'].map(line => `${folded(line)}\r\n`).join('')
  },
})

const nameOf = ({ name, domain }: LiveSite): string => domain ?? name

interface Feed {
  readonly site: LiveSite
  readonly kind: string
  readonly title: string
  readonly entries: ReadonlyArray<{ id: string; title: string; content?: string; at: number; path: string }>
  readonly path: string
  /** The time of a feed without entries. */
  readonly since: number
}

function feed({ site, kind, title, entries, path, since }: Feed, baseUrl: string): string {
  const id = `urn:footfall:${site.id}:${kind}`
  const shown = entries.map(
    entry => `<entry>
<id>${xmlText(`${id}:${entry.id}`)}</id>
<title>${xmlText(entry.title)}</title>
<updated>${iso(entry.at)}</updated>
<link rel="alternate" type="text/html" href="${xmlText(baseUrl + entry.path)}"/>
<content type="text">${xmlText(entry.content ?? entry.title)}</content>
</entry>
`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${id}</id>
<title>${xmlText(title)}</title>
<updated>${iso(entries.length === 0 ? since : Math.max(...entries.map(({ at }) => at)))}</updated>
<author><name>Footfall</name></author>
<link rel="alternate" type="text/html" href="${xmlText(baseUrl + path)}"/>
${shown.join('')}</feed>
`
}

/** `20260301T093000Z` @param at epoch ms */
const utc = (at: number): string => iso(at).replace(/[-:]|\.\d+/g, '')

/** RFC 5545 §3.3.11. Control characters are not allowed. */
function icalText(said: string): string {
  return (
    said
      .replace(/\r\n?/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: this expression removes them
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
      .replace(/[\\;,]/g, '\\$&')
      .replaceAll('\n', '\\n')
  )
}

/** A line has at most 75 octets; further ones begin with a space (RFC 5545 §3.1). */
function folded(line: string): string {
  const lines: string[] = []
  let [current, bytes] = ['', 0]
  for (const character of line) {
    const more = Buffer.byteLength(character)
    if (bytes + more > 75) {
      lines.push(current)
      ;[current, bytes] = [' ', 1]
    }
    current += character
    bytes += more
  }
  return [...lines, current].join('\r\n')
}
