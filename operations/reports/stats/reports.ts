/** The three main reports. They query the engine and convert the results to the form of the API. */
import { dateOf } from '../../../storage/calendar/zones.ts'
import { iso, type Static } from '../../../runtime/table/schema.ts'
import { queryOf } from './scope-of.ts'
import { type Applied, type Meta, spanOf } from './applied.ts'
import type { Dimension } from '../../../storage/engine/vocabulary/dimensions.ts'
import type { Note as EngineNote } from '../../../storage/engine/vocabulary/scope.ts'
import { type CountedSums, hasRow, type Sums } from '../../../storage/engine/vocabulary/sums.ts'
import { headline, type MetricName, percentOf } from '../../../storage/engine/vocabulary/metrics.ts'
import type { BreakdownQuestion, Engine } from '../../../storage/engine/index.ts'
import type { Aggregate, Breakdown, ReportMeta, Timeseries } from './records.ts'
import {
  chosenOf,
  hasPeople,
  headlineOf,
  isOnRequest,
  pointMetricsOf,
  possiblePointMetricsOf,
  rowMetrics,
  unidentifiedNotes,
  zeroNotes,
} from './chosen.ts'
import { resultOf } from './result-of.ts'
import { labelIn, type PageOfRows, rowsAsked, rowsShown } from './breakdown-rows.ts'
import { included, type Inclusion, isOfImported, unknownNotes } from './imported.ts'
import { rowsWithin } from './rows-within.ts'
import { seriesOf } from './series.ts'
import type { Range } from './time/range.ts'
import {
  askedForAll,
  changesOf,
  figuresOf,
  type Joined,
  nothing,
  ofSomeIn,
  rowsWithImported,
  spansWithImported,
  unknownIn,
} from './with-imported.ts'
import { type Note, noteOf } from './report-notes.ts'

export type Report<Data> = { data: Data; meta: Static<typeof ReportMeta> }

export const periodOf = ({ from, to, fromDay, toDay }: Pick<Range, 'from' | 'to' | 'fromDay' | 'toDay'>) => ({
  from: iso(from),
  to: iso(to),
  first_day: dateOf(fromDay),
  last_day: dateOf(toDay),
})

/** @param shareOf total that `share` of the rows refers to; null without shares */
export const withNotes = (meta: Meta, notes: readonly (Note | EngineNote)[], shareOf: Meta['share_of'] = null): Meta => ({
  ...meta,
  share_of: shareOf,
  notes: [
    ...meta.notes,
    ...notes.map(noteOf).filter(({ code }) => code !== 'people_unknown' || !meta.notes.some(note => note.code === code)),
  ],
})

/** Adds the share of visits whose person is known, if persons were counted. */
export function withIdentified(meta: Meta, all: readonly (CountedSums | undefined)[]): Meta {
  if (all.every(sums => sums?.identified === undefined)) return meta
  const sum = (of: (sums: CountedSums) => number) => all.reduce((before, sums) => before + (sums ? of(sums) : 0), 0)
  const visits = sum(sums => sums.visits)
  return {
    ...meta,
    identified:
      visits === 0
        ? null
        : percentOf(
            sum(sums => sums.identified ?? 0),
            visits,
          ),
  }
}

/** Sums and the figures that a report returns of them, to name those that imported totals lack. */
interface Shown {
  readonly figures: readonly object[]
  readonly names: readonly MetricName[]
  readonly sums: readonly (Joined | null | undefined)[]
}

/** The `meta` of a report that can add imported history. */
export const withImportedMeta = (meta: Meta, inclusion: Inclusion, { figures, names, sums }: Shown): Meta =>
  inclusion.meta
    ? {
        ...meta,
        imported: inclusion.meta,
        notes: [
          ...meta.notes.filter(note => !isOfImported(note)),
          ...[...inclusion.notes, ...unknownNotes(inclusion, { unknown: unknownIn(figures), ofSome: ofSomeIn(names, sums) })].map(noteOf),
        ],
      }
    : meta

export async function aggregate(applied: Applied, engine: Engine): Promise<Report<Static<typeof Aggregate>>> {
  const { range, comparison, site, meta } = applied
  const names = headlineOf(site)
  const series = [range, ...(comparison ? [comparison] : [])].map(one => [spanOf(site.timezone, one, one)])
  const answer = await engine.query({ ...queryOf(applied), asked: { report: 'totals', series, isPeopleCounted: hasPeople(site) } })
  const inclusion = included(applied)
  const { parts } = inclusion
  const [[now] = [], [before] = []] = await Promise.all(
    (['now', 'before'] as const).map((of, i) => {
      const counted = answer.series[i] ?? []
      return parts ? spansWithImported(parts, { of, spans: series[i] ?? [], sums: counted }) : counted
    }),
  )
  const [metrics, compared] = [now, before].map(sums => sums && figuresOf(names, sums))
  if (!metrics) throw new Error('a span was not counted')
  const withComparison =
    comparison && compared
      ? {
          comparison: {
            period: periodOf(comparison),
            metrics: compared,
            change: changesOf(metrics, compared, [{ sums: now ?? nothing }, { sums: before ?? nothing }]),
          },
        }
      : {}
  return {
    data: { period: periodOf(range), metrics, ...withComparison },
    meta: withNotes(
      withImportedMeta(withIdentified(meta, [now]), inclusion, { figures: [metrics, compared ?? {}], names, sums: [now, before] }),
      answer.notes,
    ),
  }
}

export interface Series {
  /** The dimension that divides the series; `limit` is the number of its values with their own series. */
  readonly by?: Dimension | null
  readonly limit?: number
  /** The metrics to return; empty for all. */
  readonly metrics?: readonly MetricName[]
}

export async function timeseries(
  applied: Applied,
  engine: Engine,
  { by = null, limit = 1, metrics: wanted = [] }: Series = {},
): Promise<Report<Static<typeof Timeseries>>> {
  const { range, comparison, interval, meta } = applied
  const { spans, comparisonSpans, shownBy } = seriesOf(applied)
  const isConversionsCounted = wanted.includes('conversions')
  const division = by && (await divisionOf({ applied, by, limit, engine }))
  const isPeopleCounted = hasPeople(applied.site) && (wanted.length === 0 || wanted.includes('people'))
  const totals = { report: 'totals', series: [spans, comparisonSpans], isPeopleCounted } as const
  const {
    each: [counted, divided],
    notes,
  } = await engine.query({
    ...queryOf(applied),
    asked: {
      report: 'several',
      each: [totals, ...(division ? [{ ...division.asked, spans, isConversionsCounted, isPeopleCounted }] : [])],
    },
  })
  const [now = [], before = []] = resultOf('totals', counted).series
  const inclusion = included(applied, { interval, able: by === null })
  const { parts } = inclusion
  const shown = (names: readonly MetricName[]) => shownBy(sums => figuresOf(names, sums))
  const all = parts ? await spansWithImported(parts, { of: 'now', spans, sums: now }) : now
  const allBefore = parts ? await spansWithImported(parts, { of: 'before', spans: comparisonSpans, sums: before }) : before
  const headNames = chosenOf(wanted.includes('people') ? headline : headlineOf(applied.site), wanted)
  const { series, comparisonSeries } = shown(headNames)(all, allBefore)
  const possible = wanted.length > 0 ? possiblePointMetricsOf(by) : pointMetricsOf(by)
  const names = chosenOf(
    possible.filter(name => name !== 'people' || headNames.includes(name)),
    wanted,
  )
  const pointsOf = shown(names)
  return {
    data: {
      period: periodOf(range),
      interval,
      series,
      ...(division && {
        by: {
          dimension: division.asked.dimension,
          rows: division.rowsOf(resultOf('divided', divided).series).map(row => ({ ...row, series: pointsOf(row.series, []).series })),
        },
      }),
      ...(comparison ? { comparison: { period: periodOf(comparison), series: comparisonSeries } } : {}),
    },
    meta: withNotes(
      withImportedMeta(withIdentified(meta, all), inclusion, {
        figures: [...series, ...comparisonSeries],
        names: headNames,
        sums: [...all, ...allBefore],
      }),
      [...notes, ...(by ? zeroNotes(by, names) : []), ...unidentifiedNotes(applied.site, by ? [...names, by.name] : names)],
    ),
  }
}

interface DivisionOf {
  readonly applied: Applied
  readonly by: Dimension
  readonly limit: number
  readonly engine: Engine
}

/** Returns the division of a series: the values with most visitors in the range, and all others if there are any. */
async function divisionOf({ applied, by, limit, engine }: DivisionOf) {
  const asked = rowsAsked({ ...applied, comparison: null }, by, { limit, page: 1, sort: 'visitors' })
  const { rows } = await engine.query({ ...queryOf(applied), asked })
  const values = rows.map(({ value }) => value)
  return {
    asked: { report: 'divided', dimension: by.name, values } as const,
    /** @param found a series for each value, and one for all others together */
    rowsOf(found: readonly (readonly Sums[])[]) {
      const rest = found[values.length] ?? []
      const shown = values.map((value, i) => ({ value, label: labelIn(applied, by, value), series: found[i] ?? [] }))
      return rest.some(hasRow) ? [...shown, { value: null, label: 'Other', series: rest }] : shown
    },
  }
}

interface BreakdownOf {
  readonly dimension: Dimension
  readonly page: PageOfRows & Pick<Series, 'metrics'>
  /** A second dimension, and most of its rows within a row. */
  readonly within?: { readonly dimension: Dimension; readonly limit: number } | null
  readonly engine: Engine
}

export async function breakdown(
  applied: Applied,
  { dimension, page: { metrics: wanted = [], ...page }, within = null, engine }: BreakdownOf,
): Promise<Report<Static<typeof Breakdown>> & { total: number }> {
  const { range, comparison, meta, where } = applied
  const names = rowMetrics(dimension, where, { wanted, sort: page.sort })
  const asked = {
    ...rowsAsked(applied, dimension, page),
    isBroughtCounted: isOnRequest(dimension, [...names, page.sort]),
    isPeopleCounted: [...names, page.sort].includes('people') && hasPeople(applied.site),
  }
  const inclusion = included(applied, { dimension: dimension.name, able: (page.rank ?? 'value') === 'value' && within === null })
  const { parts } = inclusion
  const { notes, ...counted } = await engine.query({ ...queryOf(applied), asked: parts ? askedForAll(asked) : asked })
  const found = parts
    ? await rowsWithImported(parts, { asked, found: counted, comparedRows: await comparedRows(applied, asked, engine) })
    : counted
  const rows = rowsShown({ applied, dimension, found, names })
  const inner = within && (await rowsWithin(applied, { of: dimension, rows, names, sorted: page, within, engine }))
  return {
    data: {
      period: periodOf(range),
      dimension: dimension.name,
      ...(within && { by: within.dimension.name }),
      rows: inner ? rows.map(row => ({ ...row, rows: inner.get(row.value) ?? [] })) : rows,
      ...(comparison ? { comparison: { period: periodOf(comparison) } } : {}),
    },
    meta: withNotes(
      withImportedMeta(withIdentified(meta, [found.all]), inclusion, {
        figures: rows,
        names,
        sums: found.rows.flatMap(row => [row.sums, row.compared]),
      }),
      [...notes, ...zeroNotes(dimension, names), ...unidentifiedNotes(applied.site, [...names, dimension.name])],
      'visitors_of_report',
    ),
    total: found.total,
  }
}

/** Returns all rows of the comparison. */
export async function comparedRows(applied: Applied, asked: BreakdownQuestion, engine: Engine) {
  if (!asked.compared) return null
  return engine.query({ ...queryOf(applied), asked: askedForAll({ ...asked, span: asked.compared, compared: null }) })
}
