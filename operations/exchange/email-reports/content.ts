/** The content of a report, read from the engine and translated. The HTML and the text mail are rendered from it. */
import { fieldTerm, type PlainMessage } from '../../../runtime/texts/message.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import { clipped } from '../../../runtime/values/clip.ts'
import { labelSaid } from '../../../runtime/texts/code-names.ts'
import { oneLine } from '../../../runtime/values/one-line.ts'
import type { Db } from '../../../storage/store.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { metrics as metricUnits } from '../../../storage/engine/vocabulary/metrics.ts'
import {
  apply,
  type Applied,
  breakdown,
  type Dimension,
  dimensionOf,
  type Engine,
  isOfImportedDays,
  overview,
} from '../../reports/stats/index.ts'
import { type LiveSite, NO_CURRENCY } from '../../sites/sites/records.ts'
import * as format from './format.ts'
import { type FullReport, panelsOf } from './records.ts'
import { before, type Period } from './schedule.ts'
import { scheduleOf } from './schedule-of-report.ts'
import { m } from './messages.ts'
import { type Say, sayIn } from '../../../runtime/texts/say.ts'

export interface Figure {
  readonly label: string
  readonly value: string
  /** The change; null without earlier data. */
  readonly change: string | null
  readonly tone: 'good' | 'bad' | 'even'
  /** The value of the earlier period. */
  readonly before: string
}

export interface Chart {
  readonly heading: string
  /** Each as a share of the highest bar, 0 to 1. */
  readonly bars: readonly number[]
  readonly first: string
  readonly last: string
  /** The highest point, in words. */
  readonly peak: string
}

export interface TopRow {
  readonly label: string
  readonly value: string
  /** Share of the first row, 0 to 1. */
  readonly share: number
}

export interface TopList {
  readonly heading: string
  /** The metric of the values. */
  readonly of: string
  readonly rows: readonly TopRow[]
}

export interface Section {
  readonly site: string
  readonly href: string
  readonly isEmpty: boolean
  readonly figures: readonly Figure[]
  readonly chart: Chart | null
  readonly lists: readonly TopList[]
  /** Notes on the figures. */
  readonly notes: readonly string[]
}

export interface Content {
  /** In the language of the report. */
  readonly say: Say
  readonly name: string
  readonly dates: string
  readonly compared: string
  readonly segment: string | null
  readonly sections: readonly Section[]
  /** Whether no site had visits. */
  readonly isEmpty: boolean
  /** Whether the mail has only one line for each site, because more would not fit. */
  readonly isSummary: boolean
}

export interface Reading {
  readonly db: Db
  readonly now: number
  readonly engine: Engine
  readonly config: Pick<Config, 'BASE_URL'>
}

const MAX_ROWS = 8
const GOALS = 100

interface ContentOf {
  readonly report: FullReport
  readonly sites: readonly LiveSite[]
  readonly period: Period
  readonly reading: Reading
}

/**
 * @param sites of the report, at least one
 * @throws Failure if the segment of the report was deleted
 */
export async function contentOf({ report, sites, period, reading }: ContentOf): Promise<Content> {
  const say = await sayIn(report.locale)
  const schedule = scheduleOf(report, sites)
  const compared = before(schedule, period)
  const isMonth = schedule.frequency === 'monthly'
  const panels = panelsOf(report).flatMap(name => dimensionOf(name) ?? [])
  const sections: Section[] = []
  let segment: string | null = null
  for (const site of sites) {
    const applied = await apply(reading.db, site, reading.now, {
      period: 'custom',
      ...days(period, 'from', 'to'),
      compare: 'custom',
      ...days(compared, 'compare_from', 'compare_to'),
      segment_id: report.segment_id ?? undefined,
      include_imported: report.include_imported === 1,
      interval: schedule.frequency === 'daily' ? 'hour' : 'day',
    })
    segment = applied.meta.segment?.name ?? null
    sections.push(await sectionOf({ report, applied, showing: { panels, say, period } }, reading))
  }
  return {
    say,
    name: report.name,
    dates: format.dates(period, isMonth, say.locale),
    compared: say(m.compared_with_dates, { dates: format.dates(compared, isMonth, say.locale) }),
    segment: segment === null ? null : say(m.only_the_segment_name, { name: oneShortLine(segment) }),
    sections,
    isEmpty: sections.every(({ isEmpty }) => isEmpty),
    isSummary: false,
  }
}

const days = <F extends string, T extends string>({ from, to }: Period, first: F, last: T) =>
  ({ [first]: dateOf(from), [last]: dateOf(to) }) as Record<F | T, string> // these two names

interface Showing {
  readonly panels: readonly Dimension[]
  readonly say: Say
  readonly period: Period
}

type OverviewData = Awaited<ReturnType<typeof overview>>['data']

async function sectionOf(
  { report, applied, showing }: { report: FullReport; applied: Applied; showing: Showing },
  { db, now, engine, config }: Reading,
): Promise<Section> {
  const { panels, say, period } = showing
  const { site } = applied
  const { data, meta } = await overview(applied, { panels, db, now, engine })
  const goals = await goalList(report, { applied, say, engine })
  const query = new URLSearchParams({ period: 'custom', ...days(period, 'from', 'to') })
  if (report.segment_id !== null) query.set('segment_id', report.segment_id)
  if (report.include_imported === 0) query.set('include_imported', 'false') // pages include it by default
  const lists = data.panels.map(({ dimension, rows }) => ({
    heading: say(headings[dimension] ?? (dimension.startsWith('property:') ? dimension : fieldTerm(dimension))),
    of: say(m.visitors),
    rows: topRows(
      {
        rows: rows.slice(0, MAX_ROWS),
        of: row => row.visitors,
        label: ({ value, label }) => oneShortLine(labelSaid({ dimension, value, label, reader: say })),
      },
      say,
    ),
  }))
  return {
    site: oneShortLine(site.name),
    href: `${config.BASE_URL}/sites/${site.id}/overview?${query}`,
    isEmpty: data.metrics.visits === 0,
    figures: figuresOf(data, site.currency, say),
    chart: chartOf(data, say),
    lists: [...(goals ? [goals] : []), ...lists],
    notes: meta.notes.filter(isOfImportedDays).map(({ message }) => say(message)),
  }
}

function topRows<R>(
  { rows, of, label }: { rows: readonly R[]; of: (row: R) => number | null; label: (row: R) => string },
  { locale }: Say,
): TopRow[] {
  const max = Math.max(1, ...rows.map(row => of(row) ?? 0))
  return rows.map(row => ({
    label: label(row),
    value: orDash(of(row), value => format.count(value, locale)),
    share: (of(row) ?? 0) / max,
  }))
}

/** A dash for a figure that imported totals lack, which is not 0. */
const orDash = (value: number | null, format: (value: number) => string): string => (value === null ? '–' : format(value))

/** The goals of the report that belong to this site, including goals without completions; null if there is none. */
async function goalList(
  { goal_ids }: FullReport,
  { applied, say, engine }: { applied: Applied; say: Say; engine: Engine },
): Promise<TopList | null> {
  const wanted = goal_ids.flatMap(id => applied.goals.find(goal => goal.id === id) ?? [])
  const dimension = dimensionOf('goal')
  if (wanted.length === 0 || !dimension) return null
  const { data } = await breakdown(
    { ...applied, comparison: null },
    { dimension, page: { limit: GOALS, page: 1, sort: 'visitors' }, engine },
  )
  const reached = wanted.map(({ id, name }) => ({ name, conversions: data.rows.find(({ value }) => value === id)?.conversions ?? 0 }))
  return {
    heading: say(m.goals),
    of: say(m.conversions),
    rows: topRows({ rows: reached, of: goal => goal.conversions, label: goal => oneShortLine(goal.name) }, say),
  }
}

const headlines = {
  visitors: m.visitors,
  visits: m.visits,
  pageviews: m.pageviews,
  bounce_rate: m.bounce_rate,
  visit_duration: m.visit_duration,
  revenue: m.revenue,
}

function figuresOf({ metrics, comparison, period }: OverviewData, currency: string, say: Say): Figure[] {
  const { locale } = say
  const isLong = period.first_day !== period.last_day
  const number = (value: number) => format.count(value, locale)
  const figure = (name: keyof typeof headlines, written: (value: number) => string, better: 'more' | 'less' = 'more'): Figure => {
    const changed = comparison?.change[name] ?? null
    const isNothing = metrics[name] === 0 && (comparison?.metrics[name] ?? 0) === 0
    const isBetter = changed !== null && (better === 'more' ? changed > 0 : changed < 0)
    return {
      label: say(headlines[name]),
      value: orDash(metrics[name], written),
      change:
        changed === null || isNothing ? null : (metricUnits[name].unit === 'percent' ? format.points : format.change)(changed, locale),
      tone: changed === null || changed === 0 ? 'even' : isBetter ? 'good' : 'bad',
      before: orDash(comparison ? comparison.metrics[name] : 0, written),
    }
  }
  const money = (value: number) => format.money(value, currency, locale)
  const hasRevenue =
    currency !== NO_CURRENCY && [metrics.purchases, metrics.revenue, comparison?.metrics.revenue].some(value => (value ?? 0) !== 0)
  return [
    { ...figure('visitors', number), ...(isLong && { label: say(m.visitors_added_up) }) },
    figure('visits', number),
    figure('pageviews', number),
    figure('bounce_rate', value => format.percent(value, locale), 'less'),
    figure('visit_duration', value => format.duration(value, locale)),
    ...(hasRevenue ? [figure('revenue', money)] : []),
  ]
}

function chartOf({ series: points, interval }: OverviewData, say: Say): Chart | null {
  const { locale } = say
  const series = points.flatMap(({ at, visitors }) => (visitors === null ? [] : [{ at, visitors }]))
  if (series.length < points.length) return null
  const isHour = interval === 'hour'
  const [first, last] = [series[0], series.at(-1)]
  const highest = series.reduce<(typeof series)[number] | undefined>(
    (max, point) => (max && max.visitors >= point.visitors ? max : point),
    undefined,
  )
  if (!first || !last || !highest || highest.visitors === 0 || series.length < 2) return null
  return {
    heading: isHour ? say(m.visitors_by_hour) : say(m.visitors_by_day),
    bars: series.map(({ visitors }) => visitors / highest.visitors),
    first: format.pointLabel(first.at, isHour, locale),
    last: format.pointLabel(last.at, isHour, locale),
    peak: say(m.most_count_when, {
      count: format.count(highest.visitors, locale),
      when: format.pointLabel(highest.at, isHour, locale),
    }),
  }
}

/** Headings of panels by dimension. A panel of another dimension has the label of the dimension as heading. */
const headings: Readonly<Record<string, PlainMessage>> = {
  custom_channel: m.own_channels,
  channel: m.channels,
  source: m.sources,
  referrer: m.referrers,
  utm_source: m.utm_source,
  utm_medium: m.utm_medium,
  utm_campaign: m.campaigns,
  utm_content: m.utm_content,
  utm_term: m.utm_term,
  page: m.pages,
  entry_page: m.entry_pages,
  exit_page: m.exit_pages,
  hostname: m.hosts,
  url: m.addresses,
  network: m.networks,
  network_kind: m.kinds_of_networks,
  country: m.countries,
  region: m.regions,
  city: m.cities,
  language: m.languages,
  device: m.devices,
  screen: m.screens,
  browser: m.browsers,
  browser_version: m.versions_of_browsers,
  os: m.systems,
  os_version: m.versions_of_systems,
  event: m.events,
  goal: m.goals,
  weekday: m.weekdays,
  hour: m.hours,
  bounce: m.bounces,
  new_person: m.new_people,
}

const MAX_CHARACTERS = 80

/** A text from outside, on one line and shortened. */
const oneShortLine = (text: string): string => clipped(oneLine(text), MAX_CHARACTERS)
