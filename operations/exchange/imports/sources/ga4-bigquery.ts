/** Google Analytics 4: the events of its BigQuery export, as JSON lines or Parquet. */
import { m } from '../messages.ts'
import type { Sentence } from '../../../../runtime/texts/message.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { isBlank, type LeaveOut } from '../left-out.ts'
import { ga4Names } from '../names/ga4.ts'
import { isNone, namesBy } from '../names/names.ts'
import { type JsonObject, objectOf } from '../../../sites/collection/index.ts'
import { checkHeader } from './columns.ts'
import { ga4Event, inside, paramsOf } from './ga4-events.ts'
import type { HitSource } from './source.ts'
import { textIn, withoutBlank } from './values.ts'

const needed = ['event_name', 'event_timestamp', 'event_params', 'user_pseudo_id']
const known = [...needed, 'device', 'geo', 'collected_traffic_source', 'ecommerce', 'platform', 'event_dimensions']
/** Reasons for fields that are not read. */
const why: Readonly<Record<string, Sentence>> = {
  event_date: m.ga4_in_event_timestamp(),
  traffic_source: m.ga4_first_source(),
  session_traffic_source_last_click: m.counted_again(),
  items: m.ga4_items(),
  user_id: m.names_not_stored(),
  user_properties: m.names_not_stored(),
}
/** Events that Google adds by itself, which repeat other events. */
const added = new Set(['session_start', 'first_visit'])

export const ga4BigQuery: HitSource = {
  kind: 'hits',
  title: 'Google Analytics 4: events_YYYYMMDD of BigQuery, as JSON lines or Parquet',
  format: 'ndjson',
  part({ parts }) {
    const [part, more] = parts
    if (!part || more) throw new JobFailure('wrong_file', m.one_file_of_ga4())
    return part
  },
  header: columns => checkHeader(columns, { needed, known, why, product: 'GA4’s export to BigQuery' }),
  names: namesBy(ga4Names),
  convert(event, leaveOut) {
    const name = textIn(event, 'event_name')
    const micros = Number(textIn(event, 'event_timestamp') || Number.NaN)
    if (name === '' || !Number.isFinite(micros)) return 'event_name and event_timestamp are required'
    noteFields(event, leaveOut)
    if (added.has(name)) {
      leaveOut(`event_name: ${name}`, m.ga4_added())
      return []
    }
    const params = paramsOf(event)
    const url = params.get('page_location') ?? ''
    const platform = textIn(event, 'platform').toUpperCase()
    if (url === '' && platform !== '' && platform !== 'WEB') {
      leaveOut(`platform: ${platform}`, m.ga4_app())
      return []
    }
    const web = inside(inside(event, 'device'), 'web_info')
    const hostname = textIn(web, 'hostname') || textIn(inside(event, 'event_dimensions'), 'hostname')
    const common = {
      timestamp: Math.round(micros / 1000),
      visitor: textIn(event, 'user_pseudo_id'),
      url: url || (hostname === '' ? '' : `https://${hostname}/`),
      referrer: params.get('page_referrer') ?? '',
      ...tagsOf(event, params),
      ...placeAndDevice(event),
    }
    return ga4Event(event, { name, params, leaveOut }).map(each => withoutBlank({ ...common, ...each }))
  },
}

/** Names every field of the event that is not read. */
function noteFields(event: JsonObject, leaveOut: LeaveOut): void {
  for (const field of Object.keys(event)) {
    if (known.includes(field) || isBlank(event, field)) continue
    const value = event[field]
    if (Array.isArray(value) ? value.length > 0 : !isEmpty(objectOf(value)))
      leaveOut(field, (Object.hasOwn(why, field) && why[field]) || m.column_not_read())
  }
}

/** Whether every value of an object is blank, as in records that BigQuery writes for events without them. */
const isEmpty = (object: JsonObject | null): boolean =>
  object !== null && Object.values(object).every(value => value === null || value === '' || isEmpty(objectOf(value)))

const fields = { source: 'utm_source', medium: 'utm_medium', campaign: 'utm_campaign', content: 'utm_content', term: 'utm_term' } as const

/**
 * The tags of the link. Exports before June 2023 lack `collected_traffic_source`; in them, parameters have the tags, or the source
 * that Google derived from the referrer, which Footfall derives itself.
 */
function tagsOf(event: JsonObject, params: ReadonlyMap<string, string>): JsonObject {
  const collected = inside(event, 'collected_traffic_source')
  const isDerived = /^(organic|referral|\(none\)|\(not set\)|)$/.test(params.get('medium') ?? '')
  const tag = (name: keyof typeof fields) => {
    const text =
      textIn(collected, name === 'campaign' ? 'manual_campaign_name' : `manual_${name}`) || (isDerived ? '' : (params.get(name) ?? ''))
    return isNone(text) || /^\((direct|organic|referral)\)$/.test(text) ? '' : text
  }
  return Object.fromEntries(Object.entries(fields).map(([name, ours]) => [ours, tag(name as keyof typeof fields)])) // a literal's own keys
}

function placeAndDevice(event: JsonObject): JsonObject {
  const [device, geo] = [inside(event, 'device'), inside(event, 'geo')]
  const web = inside(device, 'web_info')
  return {
    country: textIn(geo, 'country'),
    region: textIn(geo, 'region'),
    city: textIn(geo, 'city'),
    device: textIn(device, 'category'),
    browser: textIn(web, 'browser') || textIn(device, 'browser'),
    browser_version: textIn(web, 'browser_version') || textIn(device, 'browser_version'),
    os: textIn(device, 'operating_system'),
    os_version: textIn(device, 'operating_system_version'),
    language: textIn(device, 'language'),
  }
}
