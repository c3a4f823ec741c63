/** Matomo: visits with their actions, the JSON of `Live.getLastVisitsDetails`. Its CSV has other columns in each row. */
import { m } from '../messages.ts'
import { isObject } from '../../../../runtime/values/json.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { deviceDetectorNames } from '../names/device-detector.ts'
import { namesBy } from '../names/names.ts'
import type { JsonObject } from '../../../sites/collection/index.ts'
import type { HitSource } from './source.ts'
import { textIn, withoutBlank } from './values.ts'

/** Names of events for other actions, as trackers name them. */
const names: ReadonlyMap<string, string> = new Map([
  ['download', 'File Download'],
  ['outlink', 'Outbound Link: Click'],
  ['search', 'Search'],
])

export const matomo: HitSource = {
  kind: 'hits',
  title: 'Matomo: the JSON of Live.getLastVisitsDetails',
  format: 'objects',
  part({ parts }) {
    const [part, more] = parts
    if (!part || more) throw new JobFailure('wrong_file', m.one_json_file())
    if (/\.(csv|tsv)$/i.test(part.name)) throw new JobFailure('wrong_file', m.matomo_csv())
    return part
  },
  header: () => [],
  names: namesBy(deviceDetectorNames),
  convert(visit) {
    const actions = Array.isArray(visit.actionDetails) ? visit.actionDetails : undefined
    if (!actions) return 'actionDetails must be a list: this is not a visit of Live.getLastVisitsDetails'
    const country = textIn(visit, 'countryCode').toUpperCase()
    const region = textIn(visit, 'regionCode')
    const shared = {
      visitor: textIn(visit, 'visitorId'),
      country: country === 'XX' ? '' : country,
      region: region === '' || country === '' ? '' : `${country}-${region}`,
      city: textIn(visit, 'city'),
      device: textIn(visit, 'deviceType'),
      browser: textIn(visit, 'browserName'),
      browser_version: textIn(visit, 'browserVersion'),
      os: textIn(visit, 'operatingSystemName'),
      os_version: textIn(visit, 'operatingSystemVersion'),
      language: textIn(visit, 'languageCode'),
      screen: textIn(visit, 'resolution'),
      referrer: textIn(visit, 'referrerUrl'),
    }
    let page = ''
    return actions.flatMap(action => {
      if (!isObject(action)) return []
      const type = textIn(action, 'type')
      const url = textIn(action, 'url')
      if (type === 'action') page = url
      const timestamp = Number(textIn(action, 'timestamp') || Number.NaN)
      const hit = { ...shared, timestamp: Number.isFinite(timestamp) ? timestamp : undefined, url: type === 'action' ? url : page || '/' }
      if (type === 'action') return [withoutBlank({ ...hit, name: 'pageview' })]
      if (type === 'event') return [withoutBlank({ ...hit, name: eventName(action), props: propsOf(action) })]
      const name = names.get(type)
      return name === undefined ? [] : [withoutBlank({ ...hit, name, props: url === '' ? undefined : { url } })]
    })
  },
}

const eventName = (action: JsonObject): string =>
  [textIn(action, 'eventCategory'), textIn(action, 'eventAction')].filter(Boolean).join(' ').slice(0, 120) || 'event'

function propsOf(action: JsonObject): JsonObject | undefined {
  const props = withoutBlank({ name: textIn(action, 'eventName'), value: textIn(action, 'eventValue') })
  return Object.keys(props).length === 0 ? undefined : props
}
