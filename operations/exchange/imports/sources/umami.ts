/**
 * Umami: `website_event.csv` of the cloud's export, or of the query in docs/import.md on your own database. `event_data.csv`
 * in the same archive has the properties of its events.
 */
import { m } from '../messages.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { namesBy } from '../names/names.ts'
import { umamiNames } from '../names/umami.ts'
import { checkHeader } from './columns.ts'
import type { HitSource } from './source.ts'
import { base, eventData, PROPS } from './umami-data.ts'
import { joinedUrl, textIn, withoutBlank } from './values.ts'

const needed = ['session_id', 'created_at', 'url_path', 'event_type']
const read = [
  ...needed,
  ...['event_id', 'hostname', 'url_query', 'referrer_domain', 'referrer_path', 'referrer_query', 'event_name'],
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
  ...['browser', 'os', 'device', 'screen', 'language', 'country', 'region', 'city'],
]
const names = namesBy(umamiNames)
const plain = ['browser', 'os', 'device', 'screen', 'language', 'country', 'city'] as const
const tags = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const
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
  header: columns => checkHeader(columns, { needed, known: read, product: 'Umami' }),
  beside: eventData,
  names,
  convert(record) {
    const type = textIn(record, 'event_type')
    if (type !== '1' && type !== '2') return []
    const [domain, referrer] = [textIn(record, 'referrer_domain'), textIn(record, 'referrer_path')]
    const [country, region] = [textIn(record, 'country'), textIn(record, 'region')]
    return [
      withoutBlank({
        timestamp: textIn(record, 'created_at'),
        visitor: textIn(record, 'session_id'),
        name: type === '2' ? textIn(record, 'event_name') || 'event' : 'pageview',
        url: joinedUrl(textIn(record, 'hostname'), textIn(record, 'url_path'), textIn(record, 'url_query')),
        referrer: domain === '' ? '' : joinedUrl(domain, referrer, textIn(record, 'referrer_query')),
        props: record[PROPS],
        region: region === '' || region.includes('-') ? region : `${country}-${region}`,
        ...Object.fromEntries([...plain, ...tags].map(name => [name, textIn(record, name)])),
      }),
    ]
  },
}
