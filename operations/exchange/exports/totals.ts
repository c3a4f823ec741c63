/** Daily totals by family: in the format that imports read as `plausible`, with the counts of reports. */
import { type RawBuilder, sql } from 'kysely'
import { dictionaryOf } from '../../../storage/hits/dictionaries.ts'
import { durations, type FamilyName, imported } from '../../../storage/tables/imported-families.ts'
import { VISITS } from '../../../storage/hits/visit-rows.ts'
import type { Db } from '../../../storage/store.ts'
import { type VisitDimension, visitDimensionNumbers, visitDimensions } from '../../../storage/tables/index.ts'
import { dateOf, dayStart } from '../../../storage/calendar/zones.ts'
import { dimensionNames, type Engine, presentDays, resultOf, type Span, type Sums } from '../../reports/stats/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { DELETED } from './hits.ts'
import { type Texts, wantedTexts } from './texts.ts'
import type { WrittenDay } from './days.ts'
import type { Cells, Column } from './row-writer.ts'

/** Columns of hits and visits that have a family's texts, with their dictionaries. */
interface Text {
  readonly column: string
  readonly dictionary: number
}
const ofVisit = (name: VisitDimension): Text => ({ column: `visits.${name}`, dictionary: visitDimensionNumbers[name].dictionary })
const same = (...names: readonly VisitDimension[]) => Object.fromEntries(names.map(name => [name, ofVisit(name)]))

interface Counted {
  /** By the family's text. Missing columns are blank, for example links of outbound clicks. */
  readonly texts: Readonly<Record<string, Text>>
  /** SQL of the family's counts; missing ones are unknown. */
  readonly counts: Readonly<Record<string, RawBuilder<unknown>>>
  /** Rows of hits that count; null counts visits. */
  readonly hits: RawBuilder<unknown> | null
}

/** Ids of visits begin again with each stored day, of which a written day may have parts of several. */
const visit = sql`cast(visits.day as bigint) * ${sql.lit(2 ** 40)} + visits.visit_id`
const visitors = sql`count(distinct (${visit}) / ${sql.lit(VISITS)})`
const visits = sql`count(*)`
const duration = sql`sum(cast(case when visits.bounce = 0 then visits.duration else 0 end as bigint))`
const bounces = sql`sum(visits.bounce)`
const pageviews = sql`sum(cast(visits.pageviews as bigint))`
const ofVisits = { visitors, visits, visit_duration: duration, bounces, pageviews }
const isPage = sql`hits.event = 0`

/** Families that are counted from rows of hits and visits. */
type CountedFamily = Exclude<FamilyName, 'values'>

const families: Readonly<Record<CountedFamily, Counted>> = {
  visitors: { texts: {}, counts: ofVisits, hits: null },
  sources: {
    texts: same('source', 'referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'channel'),
    counts: ofVisits,
    hits: null,
  },
  pages: {
    texts: { ...same('hostname'), page: { column: 'hits.page', dictionary: dictionaryOf.page } },
    counts: {
      visits: sql`count(distinct ${visit})`,
      visitors,
      pageviews: sql`count(*)`,
      total_scroll_depth: sql`sum(hits.scroll)`,
      total_scroll_depth_visits: sql`count(distinct case when hits.scroll > 0 then ${visit} end)`,
      total_time_on_page: sql`sum(cast(hits.engaged_ms as bigint))`,
      total_time_on_page_visits: sql`count(distinct case when hits.engaged_ms > 0 then ${visit} end)`,
    },
    hits: isPage,
  },
  entry_pages: {
    texts: same('entry_page'),
    counts: { visitors, entrances: visits, visit_duration: duration, bounces, pageviews },
    hits: null,
  },
  exit_pages: { texts: same('exit_page'), counts: { visitors, visit_duration: duration, exits: visits, bounces, pageviews }, hits: null },
  custom_events: {
    texts: { name: { column: 'hits.event', dictionary: dictionaryOf.event } },
    counts: { visitors, events: sql`count(*)` },
    hits: sql`hits.event <> 0`,
  },
  locations: { texts: same('country', 'region', 'city'), counts: ofVisits, hits: null },
  devices: { texts: same('device'), counts: ofVisits, hits: null },
  browsers: { texts: same('browser', 'browser_version'), counts: ofVisits, hits: null },
  operating_systems: {
    texts: { operating_system: ofVisit('os'), operating_system_version: ofVisit('os_version') },
    counts: ofVisits,
    hits: null,
  },
}

export const familyColumns = (family: FamilyName): readonly Column[] => [
  { name: 'date', type: 'text' },
  ...imported[family].texts.map((name): Column => ({ name, type: 'text' })),
  ...imported[family].counts.map((name): Column => ({ name, type: durations.has(name) ? 'real' : 'int' })),
]

interface TotalsOf {
  readonly site: LiveSite
  readonly day: WrittenDay
  readonly family: CountedFamily
  readonly texts: Texts
}

/** The rows of a family on one day; none on a day without visits. Durations are seconds. */
export async function totalsOf(db: Db, { site, day, family, texts }: TotalsOf): Promise<Cells[]> {
  const { texts: columns, counts, hits } = families[family]
  const keys = Object.entries(columns)
  const selected = [
    ...keys.map(([name, { column }]) => sql`${sql.ref(column)} as ${sql.ref(name)}`),
    ...Object.entries(counts).map(([name, count]) => sql`${count} as ${sql.ref(name)}`),
  ]
  const grouped = keys.length === 0 ? sql`having count(*) > 0` : sql`group by ${sql.join(keys.map(([, { column }]) => sql.ref(column)))}`
  const [only, ...others] = day.stored
  const whole = only?.part === null && others.length === 0 ? only.day : null
  const of = whole === null ? partsOf(site.number, day) : { hits: sql`hits`, visits: sql`visits` }
  const from = hits
    ? sql`${of.hits} join ${of.visits} on visits.site_id = hits.site_id and visits.day = hits.day and visits.visit_id = hits.visit_id and ${hits}`
    : of.visits
  const isThere = whole === null ? sql`1 = 1` : sql`visits.site_id = ${site.number} and visits.day = ${whole}`
  const { rows } = await sql<Record<string, number>>`
    select ${sql.join(selected)} from ${from} where ${isThere} ${grouped}`.execute(db)

  const { wanted, add } = wantedTexts()
  for (const row of rows) for (const [name, { dictionary }] of keys) add(dictionary, row[name] ?? 0)
  await texts.load(wanted)
  const date = dateOf(day.day)
  const isKept = (row: Record<string, number>) => family !== 'custom_events' || texts.of(dictionaryOf.event, row.name ?? 0) !== DELETED
  return rows.filter(isKept).map(row => ({
    date,
    ...Object.fromEntries(keys.map(([name, { dictionary }]) => [name, texts.of(dictionary, row[name] ?? 0)])),
    ...Object.fromEntries(
      Object.keys(counts).map(name => [name, durations.has(name) ? Number(row[name] ?? 0) / 1000 : Number(row[name] ?? 0)]),
    ),
  }))
}

/**
 * The rows of hits in parts of stored days, and of visits with such hits, under the names of their tables. Pageviews of a visit are
 * those among the hits; everything else belongs to the whole visit, as in reports.
 */
function partsOf(site: number, { stored }: WrittenDay): { readonly hits: RawBuilder<unknown>; readonly visits: RawBuilder<unknown> } {
  const each = stored.map(({ day, part }) => {
    const isThere = (table: string) => sql`${sql.ref(`${table}.site_id`)} = ${site} and ${sql.ref(`${table}.day`)} = ${day}`
    const isWithin = part ? sql`h.at >= ${part.from} and h.at < ${part.to}` : sql`1 = 1`
    const columns = sql.join(['site_id', 'day', 'visit_id', 'duration', 'bounce', ...visitDimensions].map(name => sql.ref(`v.${name}`)))
    return {
      hits: sql`select h.* from hits h where ${isThere('h')} and ${isWithin}`,
      visits: sql`select ${columns}, found.pageviews from visits v join (
          select h.visit_id, sum(case when h.event = 0 then 1 else 0 end) as pageviews from hits h
          where ${isThere('h')} and ${isWithin} group by h.visit_id
        ) found on found.visit_id = v.visit_id where ${isThere('v')}`,
    }
  })
  const all = (name: 'hits' | 'visits') =>
    sql`(${sql.join(
      each.map(one => one[name]),
      sql` union all `,
    )}) as ${sql.ref(name)}`
  return { hits: all('hits'), visits: all('visits') }
}

/** Every dimension whose values are the same in another site: goals have ids. */
const dividedBy = dimensionNames.filter(name => name !== 'goal')

/** Every sum of the reports of a day: of all visits, and of each value of each dimension. An import of them answers reports exactly. */
export async function valuesOf(db: Db, engine: Engine, { site, day }: { readonly site: LiveSite; readonly day: number }): Promise<Cells[]> {
  const span: Span = { from: dayStart(site.timezone, day), to: dayStart(site.timezone, day + 1), fromDay: day, toDay: day, whole: true }
  const order = { sort: 'visitors', offset: 0, limit: MOST_VALUES } as const
  const {
    each: [totals, ...divided],
  } = await engine.query({
    site: site.number,
    where: [],
    goals: [],
    calendar: await presentDays(db, site, { fromDay: day, toDay: day }),
    asked: {
      report: 'several',
      each: [
        { report: 'totals', series: [[span]] },
        ...dividedBy.map(dimension => ({ report: 'breakdown', dimension, span, compared: null, ...order }) as const),
      ],
    },
  })
  const cellsOf = (dimension: string, value: string, sums: Sums): Cells => ({
    date: dateOf(day),
    dimension,
    value,
    currency: site.currency,
    visitors: sums.visitors,
    visits: sums.visits,
    pageviews: sums.pageviews,
    events: sums.events,
    revenue: sums.revenue,
    purchases: sums.purchases,
    entries: sums.bounceBase,
    bounces: sums.bounces,
    visit_duration: sums.duration / 1000,
    exits: sums.exits,
    total_time_on_page: sums.engaged / 1000,
  })
  const [[all] = []] = resultOf('totals', totals).series
  const rowsOf = (i: number) => resultOf('breakdown', divided[i]).rows
  return [
    ...(all && all.visits > 0 ? [cellsOf('', '', all)] : []),
    ...dividedBy.flatMap((dimension, i) => rowsOf(i).map(({ value, sums }) => cellsOf(dimension, value, sums))),
  ]
}

/** More values than a day has. */
const MOST_VALUES = 10_000_000
