/** GoatCounter's export of hits: a gzipped CSV whose first column carries the version of the format, `2Path`. */
import { m } from '../messages.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { storableText } from '../../../../storage/hits/value-limits.ts'
import type { JsonObject } from '../../../sites/collection/index.ts'
import type { LeaveOut } from '../left-out.ts'
import { goatcounterNames } from '../names/goatcounter.ts'
import { namesBy } from '../names/names.ts'
import { checkHeader } from './columns.ts'
import { deviceOf, referrerOf } from './goatcounter-values.ts'
import type { HitSource } from './source.ts'
import { joinedUrl, namedVersion, textIn, withoutBlank } from './values.ts'

/** Versions of the format, newest first; GoatCounter 1.0 to 1.3 wrote no number. */
const VERSIONS = ['2', '1', '']
const SUPPORTED = /^(?:[12]?)Path$/
const needed = ['Event', 'Session', 'Date']
const known = [
  ...needed,
  ...['UserAgent', 'Browser', 'System', 'Bot', 'Screen size', 'Location'],
  ...['Referrer', 'Referrer scheme', 'Referrer (sanitized)', 'Original Referrer'],
]
/** Texts that GoatCounter reads as true. It writes 1 and 0 from SQLite, and true and false from Postgres. */
const TRUE = /^(?:1|t|true|y|yes|on)$/i
/** Visits without a session have 0. */
const NO_SESSION = /^[0-]*$/
/** Most sessions whose last page is remembered. Both are remembered as far as they are stored. */
const MAX_SESSIONS = 100_000
const PAGE = ' page'

export const goatcounterCsv: HitSource = {
  kind: 'hits',
  title: 'GoatCounter: the CSV export',
  format: 'csv',
  names: namesBy(goatcounterNames),
  part({ parts }) {
    const [part, more] = parts
    if (!part || more) throw new JobFailure('wrong_file', m.one_file_of_goatcounter())
    return part
  },
  header(columns) {
    const [, version] = /^(\d+)Path$/.exec(columns[0] ?? '') ?? []
    const path = columns[0] ?? ''
    if (version !== undefined && !SUPPORTED.test(path)) throw new JobFailure('wrong_version', m.goatcounter_version({ version }))
    const own = SUPPORTED.test(path) ? path : `${VERSIONS[0]}Path`
    const why = { Title: m.left_titles(), FirstVisit: m.left_worked_out() }
    return checkHeader(columns, { needed: [own, ...needed], known: [own, ...known], why, product: 'GoatCounter' })
  },
  /** An event has no page: it happened on the last one of its session. */
  async beside() {
    const pages = new Map<string, string>()
    return record => {
      const session = storableText(textIn(record, 'Session'))
      if (isEvent(record) || NO_SESSION.test(session)) return { ...record, [PAGE]: pages.get(session) ?? '/' }
      pages.delete(session)
      pages.set(session, storableText(pathIn(record)))
      const [oldest] = pages.keys()
      if (pages.size > MAX_SESSIONS && oldest !== undefined) pages.delete(oldest)
      return record
    }
  },
  convert(record, leaveOut) {
    const bot = textIn(record, 'Bot')
    if (bot !== '' && bot !== '0') {
      leaveOut('Bot', m.left_bots())
      return []
    }
    const path = pathIn(record)
    const isPage = !isEvent(record)
    const place = textIn(record, 'Location')
    return [
      withoutBlank({
        timestamp: textIn(record, 'Date'),
        visitor: visitorIn(record),
        name: isPage ? 'pageview' : eventName(path, leaveOut),
        url: pageUrl(isPage ? path : textIn(record, PAGE)),
        hash: path.includes('#') || undefined,
        ...referrerOf(record, leaveOut),
        ...agentOf(record, leaveOut),
        country: place.slice(0, 2),
        region: place.includes('-') ? place : '',
      }),
    ]
  },
}

const isEvent = (record: JsonObject): boolean => TRUE.test(textIn(record, 'Event'))

function pathIn(record: JsonObject): string {
  for (const version of VERSIONS) if (Object.hasOwn(record, `${version}Path`)) return textIn(record, `${version}Path`)
  return ''
}

const pageUrl = (path: string): string => joinedUrl('', `/${path.replace(/^\/+/, '')}`, '')

/** Longest name of an event. */
const MAX_NAME = 120
function eventName(path: string, leaveOut: LeaveOut): string {
  if (path.length > MAX_NAME) leaveOut('Path', m.name_cut({ most: MAX_NAME }))
  return path.slice(0, MAX_NAME)
}

/** GoatCounter counts each hit without a session as a visit of its own. */
function visitorIn(record: JsonObject): string {
  const session = textIn(record, 'Session')
  if (!NO_SESSION.test(session)) return session
  return ['Date', 'UserAgent', 'Browser', 'System', 'Screen size', 'Location'].map(name => textIn(record, name)).join(' ') + pathIn(record)
}

/** Older exports have the user agent, in version 1 as `Browser`. It is read like a collected one. */
function agentOf(record: JsonObject, leaveOut: LeaveOut): JsonObject {
  const [width = 0, height = 0] = textIn(record, 'Screen size').split(',').map(Number)
  const hasSize = width > 0 && height > 0
  if (width > 0 && !hasSize) leaveOut('Screen size', m.screen_without_height())
  const screen = hasSize ? `${width}x${height}` : ''
  const hasSystem = Object.hasOwn(record, 'System')
  const user_agent = textIn(record, hasSystem ? 'UserAgent' : 'Browser')
  if (user_agent !== '') return { user_agent, screen }
  const [browser, browser_version] = namedVersion(textIn(record, 'Browser'))
  const [os, os_version] = namedVersion(textIn(record, 'System'))
  return { browser, browser_version, os, os_version, screen, device: deviceOf(os, { width, height }) }
}
