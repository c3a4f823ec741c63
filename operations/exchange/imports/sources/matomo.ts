/** Matomo: visits with their actions, the JSON of `Live.getLastVisitsDetails`. Its CSV has other columns in each row. */
import { m } from '../messages.ts'
import { isObject } from '../../../../runtime/values/json.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { storableText } from '../../../../storage/hits/value-limits.ts'
import { deviceDetectorNames } from '../names/device-detector.ts'
import { namesBy } from '../names/names.ts'
import type { JsonObject } from '../../../sites/collection/index.ts'
import type { LeaveOut } from '../left-out.ts'
import { acquisitionOf } from './matomo-acquisition.ts'
import { conversions, hitOf, leavePage, pageFields, pagesOf } from './matomo-actions.ts'
import { leaveFields, ofActions, ofVisits } from './matomo-fields.ts'
import type { HitSource } from './source.ts'
import { textIn, withoutBlank } from './values.ts'

/** Ids of visits that are remembered. Pages of the API overlap by the visits that came while they were read. */
const MAX_SEEN = 100_000
const DUPLICATE = ' duplicate'

export const matomo: HitSource = {
  kind: 'hits',
  title: 'Matomo: the JSON of Live.getLastVisitsDetails',
  format: 'objects',
  list: 'actionDetails',
  part({ parts }) {
    const [part, more] = parts
    if (!part || more) throw new JobFailure('wrong_file', m.one_json_file())
    if (/\.(csv|tsv)$/i.test(part.name)) throw new JobFailure('wrong_file', m.matomo_csv())
    return part
  },
  header: () => [],
  names: namesBy(deviceDetectorNames),
  async beside() {
    const seen = new Set<string>()
    return visit => {
      const id = storableText(`${textIn(visit, 'idSite')} ${textIn(visit, 'idVisit')}`)
      if (textIn(visit, 'idVisit') === '') return visit
      if (seen.has(id)) return { ...visit, [DUPLICATE]: true }
      seen.add(id)
      const [oldest] = seen
      if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest)
      return visit
    }
  },
  convert(visit, leaveOut) {
    const actions = listOf(visit.actionDetails)
    if (!actions) return 'actionDetails must be a list: this is not a visit of Live.getLastVisitsDetails'
    if (visit[DUPLICATE] === true) {
      leaveOut('idVisit', m.duplicate_visit())
      return []
    }
    // Matomo stores bots only if it is asked to track them.
    if (textIn(visit, 'operatingSystemCode') === 'BOT') {
      leaveOut('operatingSystemCode', m.left_bots())
      return []
    }
    if (actions.length === 0) leaveOut('actionDetails', m.visit_without_actions())
    leaveFields(visit, ofVisits, leaveOut)
    return hitsOf(visit, actions, leaveOut)
  },
}

/** PHP writes a list whose keys have gaps as an object. */
function listOf(value: unknown): readonly JsonObject[] | undefined {
  const list = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : undefined
  return list?.filter(isObject)
}

const at = (action: JsonObject): number => Number(textIn(action, 'timestamp') || Number.NaN)

function hitsOf(visit: JsonObject, actions: readonly JsonObject[], leaveOut: LeaveOut): JsonObject[] {
  const inOrder = actions.toSorted((a, b) => at(a) - at(b) || 0)
  const shared = { ...visitFields(visit), ...acquisitionOf(visit) }
  const pages = pagesOf(inOrder)
  const views = inOrder.filter(action => textIn(action, 'type') === 'action')
  const [times, last] = [new Set(views.map(at)), views.at(-1)]
  return inOrder.flatMap((action, i) => {
    leaveFields(action, ofActions, leaveOut)
    const timestamp = Number.isFinite(at(action)) ? at(action) : undefined
    const hit = hitOf(action, { visit, page: pages[i] ?? '/', isWithPage: times.has(at(action)), isLast: action === last, leaveOut })
    if (!hit) return []
    if (conversions.has(textIn(action, 'type'))) leavePage(action, visit, leaveOut)
    const seconds = Number(textIn(action, 'timeSpent') || 0)
    const main = withoutBlank({ ...shared, ...hit, timestamp })
    if (action !== last || !(seconds > 0) || timestamp === undefined) return [main]
    // The last page has a time only if a heartbeat reported it, which extended the visit.
    const { url, visitor } = main
    return [main, { url, visitor, name: 'engagement', engaged_ms: seconds * 1000, timestamp: timestamp + seconds }]
  })
}

function visitFields(visit: JsonObject): JsonObject {
  const country = textIn(visit, 'countryCode')
  const region = textIn(visit, 'regionCode')
  const unknown = (code: string) => /^(unk|xx)?$/i.test(textIn(visit, code))
  const isKnown = (code: string, name: string) => !Object.hasOwn(visit, code) || !unknown(code) || textIn(visit, name) === ''
  const [hasBrowser, hasSystem] = [isKnown('browserCode', 'browserName'), isKnown('operatingSystemCode', 'operatingSystemName')]
  return {
    ...pageFields(visit),
    visitor: textIn(visit, 'visitorId') || textIn(visit, 'fingerprint') || textIn(visit, 'idVisit'),
    country: /^(xx|ti)?$/i.test(country) ? (country.toLowerCase() === 'ti' ? 'CN' : '') : country,
    region: region === '' || region === 'xx' || unknown('countryCode') ? '' : `${country.toUpperCase()}-${region}`,
    city: textIn(visit, 'city'),
    device: deviceOf(visit),
    browser: hasBrowser ? textIn(visit, 'browserName') || textIn(visit, 'browser') : '',
    browser_version: hasBrowser ? textIn(visit, 'browserVersion') : '',
    os: hasSystem ? textIn(visit, 'operatingSystemName') || textIn(visit, 'operatingSystem') : '',
    os_version: hasSystem ? textIn(visit, 'operatingSystemVersion') : '',
    language: textIn(visit, 'languageCode'),
    screen: textIn(visit, 'resolution'),
  }
}

/** The label is in the language of the API's user, the name of its icon is not: `…/devices/smartphone.png`. */
function deviceOf(visit: JsonObject): string {
  const [, icon] = /\/([a-z_]+)\.(?:png|gif|svg)$/.exec(textIn(visit, 'deviceTypeIcon')) ?? []
  return icon === undefined || icon === 'unknown' ? textIn(visit, 'deviceType') : icon.replaceAll('_', ' ')
}
