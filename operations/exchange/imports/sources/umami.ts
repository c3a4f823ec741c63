/**
 * Umami: `website_event.csv` of the cloud's export, or of the query in docs/import.md on your own database. `event_data.csv`
 * in the same archive has the properties of its events.
 */
import { m } from '../messages.ts'
import type { Message } from '../../../../runtime/texts/message.ts'
import type { LeaveOut } from '../left-out.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { namesBy } from '../names/names.ts'
import { PROGRAMS, umamiNames } from '../names/umami.ts'
import { type JsonObject, objectOf } from '../../../sites/collection/index.ts'
import { checkHeader } from './columns.ts'
import type { HitSource } from './source.ts'
import { base, eventData, PROPS } from './umami-data.ts'
import { joinedUrl, textIn, withoutBlank } from './values.ts'

const needed = ['session_id', 'created_at', 'url_path', 'event_type']
const plain = ['browser', 'os', 'device', 'screen', 'language', 'country', 'region', 'city'] as const
const tags = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const
/** Parameters of ads, which are also in `url_query`, unless that was cut. */
const clickIds = ['gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'] as const
const vitals = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const
const read = [
  ...[...needed, ...plain, ...tags, ...clickIds, ...vitals],
  ...['event_id', 'hostname', 'url_query', 'referrer_domain', 'referrer_path', 'referrer_query', 'event_name', 'tag'],
]
const why = {
  website_id: m.umami_website(),
  visit_id: m.counted_again(),
  page_title: m.titles_not_stored(),
  distinct_id: m.names_not_stored(),
}
/** Kinds of rows (`event_type`) that are not visits of a site. */
const kinds: ReadonlyMap<string, Message> = new Map([
  ['3', m.umami_links()],
  ['4', m.umami_pixels()],
])
/** Files of the download button on a self-hosted server: totals without dates. */
const withoutDates = /^(events|pages|referrers|browsers|os|devices|countries)\.csv$/

export const umami: HitSource = {
  kind: 'hits',
  title: 'Umami: website_event.csv, or the zip with it',
  format: 'csv',
  part({ parts, form }) {
    const found = parts.find(({ name }) => base(name) === 'website_event.csv')
    if (found) return found
    if (parts.some(({ name }) => withoutDates.test(base(name)))) {
      throw new JobFailure('wrong_file', m.totals_without_dates())
    }
    const [part] = parts
    if (form === 'zip' || !part) throw new JobFailure('wrong_file', m.no_events())
    return part
  },
  header: columns => checkHeader(columns, { needed, known: read, why, product: 'Umami' }),
  beside: eventData,
  names: namesBy(umamiNames),
  convert(record, leaveOut) {
    const type = textIn(record, 'event_type')
    const browser = textIn(record, 'browser')
    if (PROGRAMS.has(browser)) leaveOut(`browser: ${browser}`, m.a_program())
    else if (type === '1' || type === '2') return [withoutBlank({ ...common(record), ...eventOf(record, type, leaveOut) })]
    else if (type === '5') return [withoutBlank({ ...common(record), ...vitalsOf(record) })]
    else leaveOut(`event_type: ${type}`, kinds.get(type) ?? m.unknown_kind())
    return []
  },
}

function common(record: JsonObject): JsonObject {
  const domain = textIn(record, 'referrer_domain')
  return {
    timestamp: textIn(record, 'created_at'),
    visitor: textIn(record, 'session_id'),
    ...addressOf(record),
    referrer: domain === '' ? '' : joinedUrl(domain, textIn(record, 'referrer_path'), textIn(record, 'referrer_query')),
    ...Object.fromEntries([...plain, ...tags].map(name => [name, textIn(record, name)])),
  }
}

/** Umami appends the fragment to the path. A route in it is part of the page, as it is in collected hits. */
function addressOf(record: JsonObject): JsonObject {
  const [, path = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(textIn(record, 'url_path')) ?? []
  const query = textIn(record, 'url_query').replace(/^\?/, '')
  const lacking = clickIds.flatMap(id => {
    const value = textIn(record, id)
    return value === '' || new URLSearchParams(query).has(id) ? [] : [`${id}=${encodeURIComponent(value)}`]
  })
  const url = joinedUrl(textIn(record, 'hostname'), path, [query, ...lacking].filter(Boolean).join('&')) + fragment
  return { url, hash: /^#[/!]/.test(fragment) ? true : '' }
}

function eventOf(record: JsonObject, type: '1' | '2', leaveOut: LeaveOut): JsonObject {
  const data = objectOf(record[PROPS]) ?? {}
  const tag = textIn(record, 'tag')
  const props = tag === '' ? data : { ...data, tag }
  const event = { name: type === '1' ? 'pageview' : textIn(record, 'event_name') || 'event', props }
  const amount = type === '1' ? '' : textIn(data, 'revenue')
  if (amount === '') return event
  const currency = textIn(data, 'currency')
  if (currency !== '') return { ...event, revenue: { amount, currency } }
  leaveOut('revenue', m.no_currency())
  return event
}

const vitalsOf = (record: JsonObject): JsonObject => ({
  name: 'vitals',
  vitals: Object.fromEntries(
    vitals.flatMap(name => {
      const value = textIn(record, name)
      return value === '' ? [] : [[name, Number(value)]]
    }),
  ),
})
