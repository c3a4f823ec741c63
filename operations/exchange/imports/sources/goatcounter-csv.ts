/** GoatCounter's export of hits: a gzipped CSV whose first column carries the version of the format. */
import { m } from '../messages.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { checkHeader } from './columns.ts'
import type { HitSource } from './source.ts'
import { joinedUrl, namedVersion, textIn, withoutBlank } from './values.ts'

const PATH = '2Path'
const needed = [PATH, 'Event', 'Session', 'Date']
const known = [...needed, 'Browser', 'System', 'Bot', 'Referrer', 'Referrer scheme', 'Screen size', 'Location']

export const goatcounterCsv: HitSource = {
  kind: 'hits',
  title: 'GoatCounter: the CSV export',
  format: 'csv',
  part({ parts }) {
    const [part, more] = parts
    if (!part || more) throw new JobFailure('wrong_file', m.one_file_of_goatcounter())
    return part
  },
  header(columns) {
    const [, version] = /^(\d+)Path$/.exec(columns[0] ?? '') ?? []
    if (version !== undefined && version !== '2') {
      throw new JobFailure('wrong_version', m.goatcounter_version({ version }))
    }
    const why = { Title: 'titles are not stored', UserAgent: 'always blank there', FirstVisit: 'worked out again' }
    return checkHeader(columns, { needed, known, why, product: 'GoatCounter' })
  },
  convert(record) {
    const bot = textIn(record, 'Bot')
    if (bot !== '' && bot !== '0') return []
    const path = textIn(record, PATH)
    const isEvent = textIn(record, 'Event').toLowerCase() === 'true'
    const referrer = textIn(record, 'Referrer')
    const scheme = textIn(record, 'Referrer scheme')
    const [browser, browser_version] = namedVersion(textIn(record, 'Browser'))
    const [os, os_version] = namedVersion(textIn(record, 'System'))
    const [width, height] = textIn(record, 'Screen size').split(',')
    const place = textIn(record, 'Location')
    return [
      withoutBlank({
        timestamp: textIn(record, 'Date'),
        visitor: textIn(record, 'Session'),
        name: isEvent ? path : 'pageview',
        url: isEvent ? '/' : joinedUrl('', path, ''),
        referrer: scheme === 'h' && referrer !== '' ? `https://${referrer.replace(/^https?:\/\//, '')}` : '',
        source: scheme === 'g' ? referrer : '',
        utm_campaign: scheme === 'c' ? referrer : '',
        browser,
        browser_version,
        os,
        os_version,
        screen: Number(width) > 0 && Number(height) > 0 ? `${Number(width)}x${Number(height)}` : '',
        country: place.slice(0, 2),
        region: place.includes('-') ? place : '',
      }),
    ]
  },
}
