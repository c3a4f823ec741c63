/**
 * Hits in the format that imports read (docs/import.md): each with the attributes of its visit's first hit. The visitor is
 * an anonymous number within its day. Only properties that are marked `export_safe` are written.
 */
import { sql } from 'kysely'
import { blankOf } from '../../../runtime/values/blank-record.ts'
import { dictionaryOf, propertyDictionary } from '../../../storage/hits/dictionaries.ts'
import type { Db, Store } from '../../../storage/store.ts'
import { VISITS_PER_VISITOR } from '../../../storage/hits/visit-ids.ts'
import { type HitRow, type VisitDimension, type VisitRow, visitDimensionNumbers } from '../../../storage/tables/index.ts'
import { giveWay } from '../../../storage/system/event-loop.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { majorUnits } from '../../sites/collection/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { type SiteDay, visitsOf } from './day-rows.ts'
import { type Texts, wantedTexts } from './texts.ts'
import type { Cells, Column } from './row-writer.ts'
import type { Part } from './days.ts'
import { addTo, grouped } from '../../../storage/values/grouped.ts'

/** Whether a dimension is written for each hit as stored with its visit, in the order of the columns. A missing one does not compile. */
const isWritten: Readonly<Record<VisitDimension, boolean>> = {
  channel: true,
  source: true,
  utm_source: true,
  utm_medium: true,
  utm_campaign: true,
  utm_content: true,
  utm_term: true,
  country: true,
  region: true,
  city: true,
  network: true,
  network_kind: true,
  browser: true,
  browser_version: true,
  os: true,
  os_version: true,
  device: true,
  screen: true,
  language: true,
  // Every hit has these itself, or an import derives them again.
  entry_page: false,
  exit_page: false,
  referrer: false,
  hostname: false,
  custom_channel: false,
}
const ofVisit = (Object.keys(isWritten) as VisitDimension[]).filter(name => isWritten[name]) // a literal's own keys

export const hitColumns: readonly Column[] = [
  { name: 'timestamp', type: 'time' },
  { name: 'visitor', type: 'text' },
  { name: 'name', type: 'text' },
  { name: 'url', type: 'text' },
  { name: 'hash', type: 'flag' },
  { name: 'referrer', type: 'text' },
  { name: 'hostname', type: 'text' },
  ...ofVisit.map((name): Column => ({ name, type: 'text' })),
  { name: 'interactive', type: 'flag' },
  { name: 'revenue', type: 'real' },
  { name: 'currency', type: 'text' },
  { name: 'props', type: 'json' },
  { name: 'scroll', type: 'int' },
  { name: 'engaged_ms', type: 'int' },
]

const blank = blankOf(
  hitColumns.map(({ name }) => name),
  null,
)

/** The name of an event that is being deleted. */
export const DELETED = ''

/** Interval of the engagements that keep a visit without hits together, because visits end after 30 minutes. */
const PING_MS = 29 * 60_000

export async function* hitsOf(store: Store, of: SiteDay): AsyncGenerator<Cells[]> {
  const { site, texts, part = null } = of
  const safe = await safeKeys(store.read, site)
  for await (const some of visitsOf(store, of)) {
    const { visits } = some
    const hits = await some.hits()
    const props = safe.size === 0 ? [] : await some.props([...safe.keys()])
    const { wanted, add } = wantedTexts()
    for (const hit of hits) {
      add(dictionaryOf.page, hit.page)
      add(dictionaryOf.event, hit.event)
      add(dictionaryOf.hostname, hit.host)
    }
    for (const { key, value } of props) add(propertyDictionary(key), value)
    await texts.load(wanted)
    await giveWay()

    const left = hits.filter(({ event }) => event === 0 || texts.of(dictionaryOf.event, event) !== DELETED)
    const hitsByVisit = grouped(left, ({ visit_id }) => visit_id)
    const propsByHit = new Map<string, [string, string][]>()
    for (const { visit_id, seq, key, value } of props) {
      addTo(propsByHit, `${visit_id} ${seq}`, [safe.get(key) ?? '', texts.of(propertyDictionary(key), value)])
    }
    const rows = visits.flatMap(visit => rowsOf({ visit, hits: hitsByVisit.get(visit.visit_id) ?? [], site, texts, props: propsByHit }))
    yield part ? rows.filter(({ timestamp }) => isWithin(part, Number(timestamp))) : rows
  }
}

const isWithin = ({ from, to }: Part, at: number): boolean => from <= at && at < to

interface RowsOf {
  readonly visit: VisitRow
  readonly hits: readonly HitRow[]
  readonly site: LiveSite
  readonly texts: Texts
  readonly props: ReadonlyMap<string, readonly [string, string][]>
}

/** A visit's hits in order, with engagements in gaps. */
function rowsOf({ visit, hits, site, texts, props }: RowsOf): Cells[] {
  const textOf = (name: VisitDimension) => texts.of(visitDimensionNumbers[name].dictionary, visit[name])
  const referrer = textOf('referrer')
  const shared: Record<string, unknown> = {
    ...blank,
    visitor: `${dateOf(visit.day)}.${Math.floor(visit.visit_id / VISITS_PER_VISITOR)}`,
    referrer: referrer === '' ? '' : `https://${referrer}`,
  }
  for (const name of ofVisit) shared[name] = textOf(name)
  const pageOf = ({ page, host }: HitRow): Cells => {
    const path = texts.of(dictionaryOf.page, page)
    const hostname = host === 0 ? textOf('hostname') : texts.of(dictionaryOf.hostname, host)
    return { url: `https://${hostname || site.domain}${path}`, hostname, ...(path.includes('#') && { hash: true }) }
  }
  const ping = (at: number, hit: HitRow): Cells => ({ ...shared, timestamp: at, name: 'engagement', ...pageOf(hit), engaged_ms: 0 })

  const end = visit.started_at + visit.duration
  return hits.flatMap((hit, i) => {
    const isEvent = hit.event !== 0
    const own = props.get(`${visit.visit_id} ${hit.seq}`)
    const measured = { ...(hit.scroll > 0 && { scroll: hit.scroll }), ...(hit.engaged_ms > 0 && { engaged_ms: hit.engaged_ms }) }
    const isMeasured = hit.scroll > 0 || hit.engaged_ms > 0
    const row: Cells = {
      ...shared,
      timestamp: hit.at,
      name: isEvent ? texts.of(dictionaryOf.event, hit.event) : 'pageview',
      ...pageOf(hit),
      ...(isEvent && hit.interactive === 0 && { interactive: false }),
      ...(hit.revenue !== 0 && { revenue: majorUnits(hit.revenue, site.currency), currency: site.currency }),
      ...(own && { props: Object.fromEntries(own) }),
      ...(!isEvent && measured),
    }
    const rows = isEvent && isMeasured ? [row, { ...ping(hit.at, hit), engaged_ms: 0, ...measured }] : [row]
    const next = hits[i + 1]
    const until = next ? next.at : end
    for (let at = hit.at + PING_MS; at < until; at += PING_MS) rows.push(ping(at, hit))
    if (!next && end > hit.at) rows.push(ping(end, hit))
    return rows
  })
}

/** Keys of properties that are marked as safe, by id. */
async function safeKeys(db: Db, { id, number }: LiveSite): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('property_settings')
    .innerJoin('dict', join =>
      join
        .onRef('dict.value', '=', 'property_settings.key')
        .on('dict.site_id', '=', number)
        .on('dict.dim', '=', sql.lit(dictionaryOf.prop_key)),
    )
    .select(['dict.id', 'dict.value'])
    .where('property_settings.site_id', '=', id)
    .where('export_safe', '=', 1)
    .execute()
  return new Map(rows.map(row => [row.id, row.value]))
}
