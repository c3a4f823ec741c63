/**
 * GoatCounter's newer export: a zip of JSON lines with counts by hour and day. It counts first views of a path in a visit,
 * so counts become visits; pageviews and visitors are unknown.
 */
import { m } from '../messages.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { storableText } from '../../../../storage/hits/value-limits.ts'
import { type FamilyName, imported, type ImportedRow } from '../../../../storage/tables/imported-families.ts'
import { dayOf } from '../../../../storage/calendar/zones.ts'
import { deviceOfWidth, type JsonObject, sourceOfTag } from '../../../sites/collection/index.ts'
import { jsonLines } from '../ndjson.ts'
import { type Archive, type Part, textsOf } from './archive.ts'
import { goatcounterNames } from '../names/goatcounter.ts'
import { namesBy } from '../names/names.ts'
import { addressOf, groupOf, sourceOf } from './goatcounter-values.ts'
import { REFUSED_TEXT, type TotalsRead, type TotalsSource } from './source.ts'

/** Lists that counts refer to by id. */
const LISTS = ['paths', 'refs', 'browsers', 'systems'] as const
type Lists = Readonly<Record<(typeof LISTS)[number], ReadonlyMap<string, JsonObject>>>
/** Entries of a list in memory, at most, and characters of all lists. */
const MAX_ENTRIES = 1_000_000
const MAX_CHARACTERS = 128_000_000
/** The fields of an entry that are read. */
const FIELDS = ['path', 'event', 'ref', 'ref_scheme', 'name', 'version'] as const

const text = (record: JsonObject | undefined, name: string): string => {
  const value = record?.[name]
  return typeof value === 'string' ? storableText(value.trim()) : typeof value === 'number' ? String(value) : ''
}
const isEvent = (path: JsonObject): boolean => [1, true, '1', 'true'].some(yes => yes === path.event)
const names = namesBy(goatcounterNames)
/** `Ubuntu` is a version of `Linux`, and `XP` a version of `Windows`. */
const systemOf = (name: string, version: string) =>
  /^[a-z]/i.test(version) ? names.system(`${name} ${version}`, '') : names.system(name, version)

/** A row of counts, or the reason of its refusal. */
type Reads = (
  record: JsonObject,
  counted: { readonly lists: Lists; readonly day: number; readonly count: number },
) => readonly ImportedRow[] | string

interface Row {
  readonly family: FamilyName
  readonly day: number
  readonly texts: Readonly<Record<string, string>>
  readonly counts: Readonly<Record<string, number>>
}

function row({ family, day, texts, counts }: Row): ImportedRow {
  const { texts: names, counts: figures } = imported[family]
  return {
    family,
    day,
    texts: Object.fromEntries(names.map(name => [name, texts[name] ?? ''])),
    counts: Object.fromEntries(figures.map(name => [name, counts[name] ?? null])),
  }
}

/** Counts of events are not visits. */
const ofPages =
  (family: FamilyName, textsOfRow: (record: JsonObject, lists: Lists) => Readonly<Record<string, string>>): Reads =>
  (record, { lists, day, count: visits }) => {
    const path = lists.paths.get(text(record, 'path_id'))
    if (!path) return 'path_id names no path'
    return isEvent(path) ? [] : [row({ family, day, texts: textsOfRow(record, lists), counts: { visits } })]
  }

const stats: Readonly<Record<string, Reads>> = {
  hit_stats(record, { lists, day, count }) {
    const path = lists.paths.get(text(record, 'path_id'))
    if (!path) return 'path_id names no path'
    const page = text(path, 'path')
    if (isEvent(path)) return [row({ family: 'custom_events', day, texts: { name: page }, counts: { events: count } })]
    return [
      row({ family: 'visitors', day, texts: {}, counts: { visits: count } }),
      row({ family: 'pages', day, texts: { page: page.startsWith('/') ? page : `/${page}` }, counts: { visits: count } }),
      row({ family: 'sources', day, texts: sourceIn(lists.refs.get(text(record, 'ref_id'))), counts: { visits: count } }),
    ]
  },
  browser_stats: ofPages('browsers', (record, { browsers }) => {
    const browser = browsers.get(text(record, 'browser_id'))
    const { name, version } = names.browser(text(browser, 'name'), text(browser, 'version'))
    return { browser: name, browser_version: version }
  }),
  system_stats: ofPages('operating_systems', (record, { systems }) => {
    const system = systems.get(text(record, 'system_id'))
    const { name, version } = systemOf(text(system, 'name'), text(system, 'version'))
    return { operating_system: name, operating_system_version: version }
  }),
  size_stats: ofPages('devices', record => ({ device: deviceIn(Number(text(record, 'width'))) })),
  location_stats: ofPages('locations', record => {
    const place = text(record, 'location')
    return { country: place.slice(0, 2), region: place.includes('-') ? place : '' }
  }),
}

function deviceIn(width: number): string {
  return width > 0 ? deviceOfWidth(width) : ''
}

/** The texts of a row of sources. */
function sourceIn(ref: JsonObject | undefined): Readonly<Record<string, string>> {
  const [said, scheme] = [text(ref, 'ref'), text(ref, 'ref_scheme')]
  if (said === '') return {}
  if (scheme === 'g') return { source: groupOf(said) }
  if (scheme === 'c' && !/^[a-z][a-z-]*:\/\//i.test(said)) return { source: sourceOfTag(said)?.name ?? said, utm_source: said }
  const address = addressOf(said).replace(/^[a-z-]+:\/\//i, '')
  return { source: sourceOf(address), referrer: address.replace(/^www\./, '') }
}

export const goatcounterJson: TotalsSource = {
  kind: 'aggregates',
  title: 'GoatCounter: the zip of JSON files',
  async *read(archive, onIgnored) {
    await checkVersion(archive)
    const lists = await listsIn(archive)
    for (const part of archive.parts) {
      const name = nameOf(part)
      const reads = Object.hasOwn(stats, name) ? stats[name] : undefined
      if (reads) yield* rowsOf(part, reads, lists)
      else if (name !== 'info' && !LISTS.some(list => list === name))
        onIgnored({ what: name.slice(0, 100), why: m.no_totals(), rows: await linesIn(part) })
    }
  },
}

const nameOf = ({ name }: Part): string => (name.split('/').at(-1) ?? '').replace(/\.jsonl?$/, '')

async function linesIn(part: Part): Promise<number> {
  let lines = 0
  for await (const piece of jsonLines(textsOf(part), 0)) lines += piece.length
  return lines
}

async function checkVersion({ parts }: Archive): Promise<void> {
  const info = parts.find(part => nameOf(part) === 'info')
  const [major] = /"export_version"\s*:\s*"?(\d+)/.exec(info ? await start(info) : '')?.slice(1) ?? []
  if (major === undefined) throw new JobFailure('wrong_file', m.no_goatcounter_json())
  if (major !== '1') throw new JobFailure('wrong_version', m.goatcounter_json_version({ version: major }))
}

async function start(part: Part): Promise<string> {
  for await (const piece of textsOf(part)) return piece.slice(0, 10_000)
  return ''
}

async function listsIn({ parts }: Archive): Promise<Lists> {
  const lists = { paths: new Map<string, JsonObject>(), refs: new Map(), browsers: new Map(), systems: new Map() }
  let characters = 0
  for (const part of parts) {
    const list = LISTS.find(name => name === nameOf(part))
    if (list === undefined) continue
    for await (const piece of jsonLines(textsOf(part), 0)) {
      for (const recorded of piece) {
        if (!('record' in recorded)) continue
        const [id, entry] = [text(recorded.record, 'id'), entryOf(recorded.record)]
        lists[list].set(id, entry)
        characters += FIELDS.reduce((sum, name) => sum + String(entry[name] ?? '').length, id.length)
      }
      if (characters > MAX_CHARACTERS) throw new JobFailure('too_large', m.too_long_entries({ most: MAX_CHARACTERS / 1_000_000 }))
      if (lists[list].size > MAX_ENTRIES) throw new JobFailure('too_large', m.too_many_entries({ list, most: MAX_ENTRIES }))
    }
  }
  return lists
}

function entryOf(record: JsonObject): JsonObject {
  const entry: Record<string, unknown> = {}
  for (const name of FIELDS) {
    const value = record[name]
    if (typeof value === 'string') entry[name] = storableText(value.trim())
    else if (typeof value === 'number' || typeof value === 'boolean') entry[name] = value
  }
  return entry
}

async function* rowsOf(part: Part, reads: Reads, lists: Lists): AsyncGenerator<TotalsRead[]> {
  const file = part.name.slice(0, 200)
  for await (const piece of jsonLines(textsOf(part), 0)) {
    yield piece.map((recorded): TotalsRead => {
      const { line } = recorded
      if ('fault' in recorded) return { file, line, fault: recorded.fault, text: '' }
      const { record } = recorded
      const refused = (fault: string) => ({ file, line, fault, text: JSON.stringify(record).slice(0, REFUSED_TEXT) })
      const day = dayOf((text(record, 'hour') || text(record, 'day')).slice(0, 10))
      const count = Number(text(record, 'count') || Number.NaN)
      if (day === null) return refused('hour or day must begin with a date')
      if (!Number.isSafeInteger(count) || count < 0 || count > 1e12) return refused('count must be a number of 0 or more')
      const rows = reads(record, { lists, day, count })
      return typeof rows === 'string' ? refused(rows) : { file, line, rows }
    })
  }
}
