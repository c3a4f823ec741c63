/**
 * Daily totals with one file for each family, in the columns of Plausible's exports: files of Plausible, of Footfall, and of
 * the GA4 script. They are CSVs; Footfall's may also be NDJSON or Parquet.
 */
import { m } from '../messages.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { storableText } from '../../../../storage/hits/value-limits.ts'
import { durations, type FamilyName, imported, isFamily, signedCounts } from '../../../../storage/tables/imported-families.ts'
import { dayOf } from '../../../../storage/calendar/zones.ts'
import type { JsonObject } from '../../../sites/collection/index.ts'
import type { Names } from '../names/names.ts'
import { countryIn, regionIn } from '../names/places.ts'
import { sourceIn } from '../names/sources.ts'
import { csvRecords, unguarded } from '../csv.ts'
import { jsonLines } from '../ndjson.ts'
import { type Ignored, isBlank, type Omission } from '../left-out.ts'
import type { Recorded } from '../record.ts'
import { type Archive, heldPart, type Part, rowsOf, textsOf } from './archive.ts'
import { REFUSED_TEXT, type TotalsRead } from './source.ts'

/** `imported_pages_20240101_20240131.csv` */
const NAME = /^(?:imported_)?([a-z_]+?)(?:_\d{8}_\d{8})?\.(csv|ndjson|parquet)$/

const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    scroll_depth: 'of older exports, a mean that cannot be added up',
    pageleave_visitors: 'of older exports',
    time_on_page: 'of older exports',
    exits: 'of older exports; exit_pages has them',
  }),
)

/** Columns of the download of a dashboard, whose durations and rates are means. */
const meansOfDashboard = new Set(['bounce_rate', 'views_per_visit'])
/** Measurements of pages, which Plausible's export lists among the events. */
const measurements = new Set(['engagement', 'pageleave'])

/** Reads every file that is named like a family. */
export function familyFiles(product: string, names: Names) {
  return async function* read(archive: Archive, onIgnored: (ignored: Ignored) => void): AsyncGenerator<TotalsRead[]> {
    const found = archive.parts.flatMap(part => {
      const named = familyIn(part)
      if (!named) onIgnored({ what: part.name.slice(0, 100), why: m.no_family_file(), rows: null })
      return named ? [{ part, ...named }] : []
    })
    if (found.length === 0) {
      for (const part of archive.parts) if (await isFromReportPage(part)) throw new JobFailure('wrong_file', m.ga4_report_page())
      throw new JobFailure('wrong_file', m.no_family({ product, families: Object.keys(imported) }))
    }
    for (const { part, family, format } of found)
      yield* totalsOf({ part, name: family, names, records: readers[format](archive, part), onIgnored })
  }
}

/** Whether a page of a report in Google Analytics made it: lines that begin with `#` name the report and its dates before the table. */
async function isFromReportPage(part: Part): Promise<boolean> {
  for await (const text of textsOf(part)) return /^\ufeff?# /.test(text) && /^# Start date: \d{8}\r?$/m.test(text)
  return false
}

/** Reads records; names their columns before the first. */
type ReadRecords = (onHeader: (columns: readonly string[]) => void) => AsyncGenerator<readonly Recorded[]>

const readers = {
  csv: (_, part) => onHeader => csvRecords(textsOf(part), { skip: 0, onHeader, cleaned: unguarded }),
  ndjson: (_, part) => onHeader => headed(jsonLines(textsOf(part), 0), onHeader),
  parquet: (archive, part) =>
    async function* (onHeader) {
      const choose = (columns: readonly string[]) => {
        onHeader(columns)
        return columns
      }
      yield* jsonLines(
        rowsOf(await heldPart(archive, part), choose, () => {}),
        0,
      )
    },
} as const satisfies Record<string, (archive: Archive, part: Part) => ReadRecords>

const isFormat = (name: string): name is keyof typeof readers => Object.hasOwn(readers, name)

/** JSON has no header, so the keys of the first record serve as one. */
async function* headed(pieces: AsyncGenerator<Recorded[]>, onHeader: (columns: readonly string[]) => void): AsyncGenerator<Recorded[]> {
  let isHeaderSent = false
  for await (const piece of pieces) {
    const first = isHeaderSent ? undefined : piece.find(each => 'record' in each)
    if (first && 'record' in first) {
      onHeader(Object.keys(first.record))
      isHeaderSent = true
    }
    yield piece
  }
}

function familyIn({ name }: Part): { readonly family: FamilyName; readonly format: keyof typeof readers } | undefined {
  const [, family = '', format = ''] = NAME.exec(name.split('/').at(-1) ?? '') ?? []
  return isFamily(family) && isFormat(format) ? { family, format } : undefined
}

interface TotalsOf {
  readonly part: Part
  readonly name: FamilyName
  readonly names: Names
  readonly records: ReadRecords
  readonly onIgnored: (ignored: Ignored) => void
}

async function* totalsOf({ part, name, names, records, onIgnored }: TotalsOf): AsyncGenerator<TotalsRead[]> {
  const family = imported[name]
  const file = part.name.slice(0, 200)
  const known = new Set<string>(['date', ...family.texts, ...family.counts])
  const unread: (Omission & { readonly column: string })[] = []
  const onHeader = (columns: readonly string[]) => {
    if (columns.some(column => meansOfDashboard.has(column))) throw new JobFailure('wrong_file', m.totals_of_dashboard({ file }))
    if (!columns.includes('date')) throw new JobFailure('wrong_columns', m.no_date({ file, has: columns.join(', ').slice(0, 500) }))
    for (const column of columns.slice(0, 100)) {
      if (known.has(column)) continue
      const omission = { what: `${name}: ${column.slice(0, 100)}`, why: reasons.get(column) ?? m.column_not_read() }
      unread.push({ ...omission, column })
      onIgnored({ ...omission, rows: 0 })
    }
  }
  const leftIn = (record: JsonObject): Omission[] => [
    ...unread.filter(({ column }) => !isBlank(record, column)),
    ...(name === 'locations' && isNumberedCity(record) ? [{ what: 'locations: city', why: m.numbered_city() }] : []),
  ]
  try {
    for await (const piece of records(onHeader)) {
      yield piece.map((recorded): TotalsRead => {
        const { line } = recorded
        if ('fault' in recorded) return { file, line, fault: recorded.fault, text: '' }
        const event = name === 'custom_events' ? String(recorded.record.name ?? '') : ''
        if (measurements.has(event)) return { file, line, rows: [], left: [{ what: `custom_events: ${event}`, why: m.not_an_event() }] }
        const row = totalsIn(recorded.record, name, names)
        return typeof row === 'string'
          ? { file, line, fault: row, text: JSON.stringify(recorded.record).slice(0, REFUSED_TEXT) }
          : { file, line, rows: [row], left: leftIn(recorded.record) }
      })
    }
  } catch (error) {
    if (error instanceof JobFailure) throw error
    throw new JobFailure('wrong_columns', m.faulty_columns({ file, why: error instanceof Error ? error.message : m.cannot_be_read() }))
  }
}

/** Our names for the texts of a row, as collected hits have them. */
function inOurNames(texts: Readonly<Record<string, string>>, names: Names): Readonly<Record<string, string>> {
  const { browser, operating_system: os, device, country, region, source } = texts
  const found = { ...texts }
  if (browser !== undefined) {
    const { name, version } = names.browser(browser, texts.browser_version ?? '')
    Object.assign(found, { browser: name, browser_version: version })
  }
  if (os !== undefined) {
    const { name, version } = names.system(os, texts.operating_system_version ?? '')
    Object.assign(found, { operating_system: name, operating_system_version: version })
  }
  if (device !== undefined) found.device = names.device(device) ?? device.toLowerCase()
  if (country !== undefined) found.country = countryIn(country)
  if (region !== undefined) found.region = regionIn(found.country ?? '', region)
  if (source !== undefined) found.source = sourceIn(source)
  return found
}
/** Plausible has the numbers of GeoNames for cities; 0 is none. */
const isNumberedCity = (record: JsonObject): boolean => Object.hasOwn(record, 'city') && /^[1-9]\d*$/.test(String(record.city).trim())

/** Words for "none". */
const blank = new Set(['(not set)', '(none)', '(direct)', '(not provided)', '(other)', '(data deleted)', 'Direct / None', '\\N'])

/** The row of a record, or the reason of its refusal. */
export function totalsIn(record: JsonObject, family: FamilyName, names: Names) {
  const { texts, counts } = imported[family]
  const valueOf = (name: string) => (Object.hasOwn(record, name) ? String(record[name] ?? '').trim() : '')
  const day = dayOf(valueOf('date').replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'))
  const faults = day === null ? [`date must be a day like 2024-01-31; received ${JSON.stringify(valueOf('date').slice(0, 40))}`] : []
  const textOf = (name: string) => {
    const given = family === 'values' ? String(record[name] ?? '') : valueOf(name)
    if (given.includes('\ufffd') || given.includes('\0')) faults.push(`${name} is not UTF-8`)
    if (blank.has(given) && family !== 'values') return ''
    return name === 'city' && /^\d*$/.test(given) ? '' : storableText(given)
  }
  const countOf = (name: string) => {
    const given = valueOf(name)
    if (given === '' || given === '\\N') return null
    const scale = durations.has(name) ? 1000 : 1
    const count = Math.round(Number(given) * scale)
    if ((signedCounts.has(name) ? SIGNED : COUNT).test(given) && Number.isSafeInteger(count) && Math.abs(count) <= MAX_COUNT) return count
    faults.push(`${name} must be a number of 0 or more; received ${JSON.stringify(given.slice(0, 40))}`)
    return null
  }
  const row = {
    family,
    day: day ?? 0,
    texts: inOurNames(Object.fromEntries(texts.map(name => [name, textOf(name)])), names),
    counts: Object.fromEntries(counts.map(name => [name, countOf(name)])),
  }
  return faults.length > 0 ? faults.join('; ') : row
}

const COUNT = /^\d{1,15}(\.\d{1,6})?$/
const SIGNED = /^-?\d{1,15}$/

/** A day's total: sums of many of them stay exact. */
const MAX_COUNT = 1e12
