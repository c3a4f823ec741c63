/** Daily totals by family: in the format that imports read as `plausible`, with the counts of reports. */
import { dictionaryOf } from '../../../storage/hits/dictionaries.ts'
import { durations, type FamilyName, imported } from '../../../storage/tables/imported-families.ts'
import type { Db, Store } from '../../../storage/store.ts'
import { type VisitDimension, visitDimensionNumbers } from '../../../storage/tables/index.ts'
import { dateOf, dayStart } from '../../../storage/calendar/zones.ts'
import { dimensionNames, type Engine, presentDays, resultOf, type Span, type Sums } from '../../reports/stats/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { DELETED } from './hits.ts'
import { type Texts, wantedTexts } from './texts.ts'
import { type Count, type Countable, countTotals, type TextColumn } from './count-totals.ts'
import type { WrittenDay } from './days.ts'
import type { Cells, Column } from './row-writer.ts'

/** A column that has a family's texts, with their dictionary. */
type Text = TextColumn & { readonly dictionary: number }
const ofVisit = (column: VisitDimension): Text => ({ of: 'visit', column, dictionary: visitDimensionNumbers[column].dictionary })
const ofHit = (column: 'page' | 'event'): Text => ({ of: 'hit', column, dictionary: dictionaryOf[column] })
const same = (...names: readonly VisitDimension[]) => Object.fromEntries(names.map(name => [name, ofVisit(name)]))

interface Family {
  /** By the family's text. Missing columns are blank, for example links of outbound clicks. */
  readonly texts: Readonly<Record<string, Text>>
  /** The count that a column of the family has; missing ones are unknown. */
  readonly counts: Readonly<Record<string, Count>>
  readonly counted: Countable
}

const ofVisits = { visitors: 'visitors', visits: 'visits', visit_duration: 'duration', bounces: 'bounces', pageviews: 'pageviews' } as const

/** Families that are counted from visits and hits. */
type CountedFamily = Exclude<FamilyName, 'values'>

const families: Readonly<Record<CountedFamily, Family>> = {
  visitors: { texts: {}, counts: ofVisits, counted: 'visits' },
  sources: {
    texts: same('source', 'referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'channel'),
    counts: ofVisits,
    counted: 'visits',
  },
  pages: {
    texts: { ...same('hostname'), page: ofHit('page') },
    counts: {
      visits: 'visits',
      visitors: 'visitors',
      pageviews: 'rows',
      total_scroll_depth: 'scroll',
      total_scroll_depth_visits: 'scrolled_visits',
      total_time_on_page: 'engaged',
      total_time_on_page_visits: 'engaged_visits',
    },
    counted: 'views',
  },
  entry_pages: {
    texts: same('entry_page'),
    counts: { visitors: 'visitors', entrances: 'visits', visit_duration: 'duration', bounces: 'bounces', pageviews: 'pageviews' },
    counted: 'visits',
  },
  exit_pages: {
    texts: same('exit_page'),
    counts: { visitors: 'visitors', visit_duration: 'duration', exits: 'visits', bounces: 'bounces', pageviews: 'pageviews' },
    counted: 'visits',
  },
  custom_events: { texts: { name: ofHit('event') }, counts: { visitors: 'visitors', events: 'rows' }, counted: 'events' },
  locations: { texts: same('country', 'region', 'city'), counts: ofVisits, counted: 'visits' },
  devices: { texts: same('device'), counts: ofVisits, counted: 'visits' },
  browsers: { texts: same('browser', 'browser_version'), counts: ofVisits, counted: 'visits' },
  operating_systems: {
    texts: { operating_system: ofVisit('os'), operating_system_version: ofVisit('os_version') },
    counts: ofVisits,
    counted: 'visits',
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
  readonly now: number
}

/** The rows of a family on one day; none on a day without visits. Durations are seconds. */
export async function totalsOf(store: Store, { site, day, family, texts, now }: TotalsOf): Promise<Cells[]> {
  const { texts: columns, counts, counted } = families[family]
  const keys = Object.entries(columns)
  const groups = await countTotals(store, { site: site.number, stored: day.stored, texts: Object.values(columns), counted, now })

  const { wanted, add } = wantedTexts()
  for (const { ids } of groups) for (const [i, [, { dictionary }]] of keys.entries()) add(dictionary, ids[i] ?? 0)
  await texts.load(wanted)
  const date = dateOf(day.day)
  const rows = groups.map(({ ids, counts: found }) => ({
    date,
    ...Object.fromEntries(keys.map(([name, { dictionary }], i) => [name, texts.of(dictionary, ids[i] ?? 0)])),
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, durations.has(name) ? found[count] / 1000 : found[count]])),
  }))
  return family === 'custom_events' ? rows.filter(({ name }: Cells) => name !== DELETED) : rows
}

/** Every dimension whose values are the same in another site: goals and sites have ids. */
const dividedBy = dimensionNames.filter(name => name !== 'goal' && name !== 'site')

/** Every sum of the reports of a day: of all visits, and of each value of each dimension. An import of them answers reports exactly. */
export async function valuesOf(db: Db, engine: Engine, { site, day }: { readonly site: LiveSite; readonly day: number }): Promise<Cells[]> {
  const span: Span = { from: dayStart(site.timezone, day), to: dayStart(site.timezone, day + 1), fromDay: day, toDay: day, whole: true }
  const order = { sort: 'visitors', offset: 0, limit: MAX_VALUES } as const
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
const MAX_VALUES = 10_000_000
