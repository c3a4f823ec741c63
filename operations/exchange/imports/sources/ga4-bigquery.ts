/** Google Analytics 4: the events of its BigQuery export, as JSON lines or Parquet. */
import { m } from '../messages.ts'
import { isObject } from '../../../../runtime/values/json.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { ga4Names } from '../names/ga4.ts'
import { namesBy } from '../names/names.ts'
import type { JsonObject } from '../../../sites/collection/index.ts'
import { checkHeader } from './columns.ts'
import type { HitSource } from './source.ts'
import { textIn, withoutBlank } from './values.ts'

const needed = ['event_name', 'event_timestamp', 'event_params', 'user_pseudo_id']
const known = [...needed, 'device', 'geo', 'collected_traffic_source']
/** Events that Google adds by itself, which repeat other events. */
const added = new Set(['session_start', 'first_visit', 'user_engagement'])
/** Parameters that are not properties of the event. */
const own = /^(page_|ga_|engagement_|session_|entrances$|batch_|engaged_|firebase_|term$|campaign|source$|medium$)/

const inside = (record: JsonObject, name: string): JsonObject => {
  const value = record[name]
  return isObject(value) ? value : {}
}

export const ga4BigQuery: HitSource = {
  kind: 'hits',
  title: 'Google Analytics 4: events_YYYYMMDD of BigQuery, as JSON lines or Parquet',
  format: 'ndjson',
  part({ parts }) {
    const [part, more] = parts
    if (!part || more) throw new JobFailure('wrong_file', m.one_file_of_ga4())
    return part
  },
  header: columns => checkHeader(columns, { needed, known, product: 'GA4’s export to BigQuery' }),
  names: namesBy(ga4Names),
  convert(event) {
    const name = textIn(event, 'event_name')
    if (added.has(name)) return []
    const micros = Number(textIn(event, 'event_timestamp') || Number.NaN)
    if (name === '' || !Number.isFinite(micros)) return 'event_name and event_timestamp are required'
    const params = paramsOf(event)
    const [device, geo] = [inside(event, 'device'), inside(event, 'geo')]
    const web = inside(device, 'web_info')
    const tags = inside(event, 'collected_traffic_source')
    const props = Object.fromEntries([...params].filter(([key]) => !own.test(key)))
    return [
      withoutBlank({
        timestamp: Math.round(micros / 1000),
        visitor: textIn(event, 'user_pseudo_id'),
        name: name === 'page_view' ? 'pageview' : name,
        url: params.get('page_location') ?? '',
        referrer: params.get('page_referrer') ?? '',
        utm_source: textIn(tags, 'manual_source'),
        utm_medium: textIn(tags, 'manual_medium'),
        utm_campaign: textIn(tags, 'manual_campaign_name'),
        country: textIn(geo, 'country'),
        region: textIn(geo, 'region'),
        city: textIn(geo, 'city'),
        device: textIn(device, 'category'),
        browser: textIn(web, 'browser') || textIn(device, 'browser'),
        browser_version: textIn(web, 'browser_version'),
        os: textIn(device, 'operating_system'),
        os_version: textIn(device, 'operating_system_version'),
        language: textIn(device, 'language'),
        props: Object.keys(props).length === 0 ? undefined : props,
      }),
    ]
  },
}

function paramsOf({ event_params }: JsonObject): ReadonlyMap<string, string> {
  if (!Array.isArray(event_params)) return new Map()
  return new Map(
    event_params.flatMap(param => {
      if (!isObject(param)) return []
      const value = inside(param, 'value')
      const text = ['string_value', 'int_value', 'float_value', 'double_value'].map(kind => textIn(value, kind)).find(Boolean)
      return text === undefined ? [] : [[textIn(param, 'key'), text] as const]
    }),
  )
}
