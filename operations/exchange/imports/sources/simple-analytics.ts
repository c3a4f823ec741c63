/** Simple Analytics: the CSV of raw data points. */
import { m } from '../messages.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { checkHeader } from './columns.ts'
import type { HitSource } from './source.ts'
import { joinedUrl, textIn, withoutBlank } from './values.ts'

const needed = ['added_iso', 'datapoint', 'session_id']
const tags = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const
const known = [
  ...needed,
  ...tags,
  ...['hostname', 'path', 'query', 'is_robot', 'document_referrer', 'country_code', 'device_type', 'browser_name', 'browser_version'],
  ...['os_name', 'os_version', 'lang_language', 'lang_region', 'screen_width', 'screen_height', 'duration_seconds', 'scrolled_percentage'],
]
/** `metadata.plan_text` */
const METADATA = /^metadata\.(.+)_(text|bool|int|date|float)$/

export const simpleAnalytics: HitSource = {
  kind: 'hits',
  title: 'Simple Analytics: the CSV of data points',
  format: 'csv',
  part({ parts }) {
    const [part, more] = parts
    if (!part || more) throw new JobFailure('wrong_file', m.one_csv_file())
    return part
  },
  header: columns =>
    checkHeader(
      columns.filter(name => !METADATA.test(name)),
      { needed, known, why: { is_unique: 'worked out again' }, product: 'Simple Analytics' },
    ),
  convert(record, leaveOut) {
    if (/^(true|1)$/i.test(textIn(record, 'is_robot'))) {
      leaveOut('is_robot', m.left_bots())
      return []
    }
    const datapoint = textIn(record, 'datapoint')
    const isPage = datapoint === 'pageview' || datapoint === ''
    const referrer = textIn(record, 'document_referrer')
    const [width, height] = [Number(textIn(record, 'screen_width')), Number(textIn(record, 'screen_height'))]
    const [language, region] = [textIn(record, 'lang_language'), textIn(record, 'lang_region')]
    const props = Object.keys(record).flatMap(name => {
      const [, key] = METADATA.exec(name) ?? []
      const value = textIn(record, name)
      return key !== undefined && value !== '' ? [[key, value] as const] : []
    })
    const seconds = Number(textIn(record, 'duration_seconds'))
    return [
      withoutBlank({
        timestamp: textIn(record, 'added_iso'),
        visitor: textIn(record, 'session_id'),
        name: isPage ? 'pageview' : datapoint,
        url: joinedUrl(textIn(record, 'hostname'), textIn(record, 'path'), textIn(record, 'query')),
        referrer: referrer === '' || /^[a-z-]+:\/\//i.test(referrer) ? referrer : `https://${referrer}`,
        country: textIn(record, 'country_code'),
        device: textIn(record, 'device_type'),
        browser: textIn(record, 'browser_name'),
        browser_version: textIn(record, 'browser_version'),
        os: textIn(record, 'os_name'),
        os_version: textIn(record, 'os_version'),
        language: language === '' || region === '' ? language : `${language}-${region}`,
        screen: width > 0 && height > 0 ? `${width}x${height}` : '',
        props: props.length === 0 ? undefined : Object.fromEntries(props),
        scroll: isPage ? textIn(record, 'scrolled_percentage') : '',
        engaged_ms: isPage && seconds > 0 ? seconds * 1000 : undefined,
        ...Object.fromEntries(tags.map(name => [name, textIn(record, name)])),
      }),
    ]
  },
}
