/** Fathom: CSVs of pages and of events by the hour. They do not distinguish visitors, so they become totals of views and completions. */
import { m } from '../messages.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import type { ImportedRow } from '../../../../storage/tables/imported-families.ts'
import type { JsonObject } from '../../../sites/collection/index.ts'
import { csvRecords, unguarded } from '../csv.ts'
import { isBlank, type Omission } from '../left-out.ts'
import { anyNames } from '../names/names.ts'
import { textsOf } from './archive.ts'
import { checkHeader } from './columns.ts'
import { totalsIn } from './family-files.ts'
import { REFUSED_TEXT, type TotalsRead, type TotalsSource } from './source.ts'
import { textIn } from './values.ts'

const shared = [
  ...['datetime', 'hostname', 'pathname', 'referrer_hostname', 'referrer_pathname', 'browser', 'operating_system', 'device_type'],
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'country_code'],
  ...['state', 'city'],
]

export const fathom: TotalsSource = {
  kind: 'aggregates',
  title: 'Fathom: CSVs grouped by the hour',
  async *read({ parts }, onIgnored) {
    for (const part of parts) {
      const file = part.name.slice(0, 200)
      let isEvents = false
      let unread: readonly Omission[] = []
      const onHeader = (columns: readonly string[]) => {
        isEvents = columns.includes('event_name')
        const count = isEvents ? 'completions' : 'pageviews'
        const known = [...shared, count, ...(isEvents ? ['event_name'] : [])]
        const needed = isEvents ? ['datetime', 'event_name', count] : ['datetime', 'pathname', count]
        unread = checkHeader(columns, { needed, known, product: 'Fathom' })
        for (const omission of unread) onIgnored({ ...omission, rows: 0 })
      }
      try {
        for await (const piece of csvRecords(textsOf(part), { skip: 0, onHeader, cleaned: unguarded })) {
          yield piece.map((recorded): TotalsRead => {
            const { line } = recorded
            if ('fault' in recorded) return { file, line, fault: recorded.fault, text: '' }
            const rows = (isEvents ? ofEvent : ofPage)(recorded.record)
            const fault = rows.find(row => typeof row === 'string')
            if (fault !== undefined)
              return { file, line, fault: String(fault), text: JSON.stringify(recorded.record).slice(0, REFUSED_TEXT) }
            const left = unread.filter(({ what }) => !isBlank(recorded.record, what))
            return { file, line, rows: rows.filter((row): row is ImportedRow => typeof row !== 'string'), left }
          })
        }
      } catch (error) {
        // The reader of CSV throws plain errors for a faulty file; a TypeError, for example, is a bug.
        if (error instanceof JobFailure || !(error instanceof Error) || error.constructor !== Error) throw error
        throw new JobFailure('wrong_columns', m.faulty_columns({ file, why: error.message }))
      }
    }
  },
}

const dateIn = (record: JsonObject) => textIn(record, 'datetime').slice(0, 10)
const hostIn = (record: JsonObject, name: string) => textIn(record, name).replace(/^https?:\/\/(www\.)?/, '')

function ofPage(record: JsonObject): (ImportedRow | string)[] {
  const counted = { date: dateIn(record), pageviews: textIn(record, 'pageviews') }
  const host = hostIn(record, 'referrer_hostname')
  const referrer = host === '' ? '' : `${host}${textIn(record, 'referrer_pathname').replace(/\/$/, '')}`
  const tags = Object.fromEntries(
    ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'].map(name => [name, textIn(record, name)]),
  )
  return [
    totalsIn(counted, 'visitors', anyNames),
    totalsIn({ ...counted, hostname: hostIn(record, 'hostname'), page: textIn(record, 'pathname') }, 'pages', anyNames),
    totalsIn({ ...counted, ...tags, source: tags.utm_source || host, referrer }, 'sources', anyNames),
    totalsIn(
      { ...counted, country: textIn(record, 'country_code'), region: textIn(record, 'state'), city: textIn(record, 'city') },
      'locations',
      anyNames,
    ),
    totalsIn({ ...counted, device: textIn(record, 'device_type') }, 'devices', anyNames),
    totalsIn({ ...counted, browser: textIn(record, 'browser') }, 'browsers', anyNames),
    totalsIn({ ...counted, operating_system: textIn(record, 'operating_system') }, 'operating_systems', anyNames),
  ]
}

const ofEvent = (record: JsonObject): (ImportedRow | string)[] => [
  totalsIn(
    { date: dateIn(record), name: textIn(record, 'event_name'), path: textIn(record, 'pathname'), events: textIn(record, 'completions') },
    'custom_events',
    anyNames,
  ),
]
