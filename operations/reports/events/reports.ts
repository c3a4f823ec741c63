/** The events reports. They query the engine and convert the result to the form of the API. */
import { iso, type Static } from '../../../runtime/table/schema.ts'
import type { PropertySettingRow } from '../../../storage/tables/index.ts'
import {
  type Applied,
  changes,
  comparedFigures,
  dimensionOf,
  type Distribution,
  type EventDetail as Found,
  type EventRow,
  figures,
  labelOf,
  type EngineNote,
  periodOf,
  queryOf,
  type Engine,
  seriesOf,
  spanOf,
} from '../stats/index.ts'
import { type EventDetail, type EventList, ofEvents, ofPoints, ofValues } from './answers.ts'

const ROWS = 25
const MAX_KEYS = 100
const MAX_AGGREGATES = 30

interface Answered<Data> {
  readonly data: Data
  readonly notes: readonly EngineNote[]
}

const spansOf = ({ range, comparison, site: { timezone } }: Applied) => ({
  span: spanOf(timezone, range, range),
  compared: comparison && spanOf(timezone, comparison, comparison),
})

export async function eventList(
  applied: Applied,
  { search, offset, limit }: { search: string; offset: number; limit: number },
  engine: Engine,
): Promise<Answered<Static<typeof EventList>> & { total: number }> {
  const { range, comparison } = applied
  const { rows, total, base, comparedBase, notes } = await engine.query({
    ...queryOf(applied),
    asked: { report: 'events', ...spansOf(applied), search, offset, limit },
  })
  const data = {
    period: periodOf(range),
    rows: rows.map(({ value, names, sums, compared, firstAt, lastAt }) => ({
      value,
      label: value,
      names,
      first_seen_at: iso(firstAt),
      last_seen_at: iso(lastAt),
      ...comparedFigures(
        ofEvents,
        { sums, bases: { allVisitors: 0, convertible: base } },
        compared && { sums: compared, bases: { allVisitors: 0, convertible: comparedBase } },
      ),
    })),
    ...(comparison ? { comparison: { period: periodOf(comparison) } } : {}),
  }
  return { data, notes, total }
}

interface EventDetailOf {
  readonly name: string
  /** Keys or display names. */
  readonly properties: readonly string[]
  readonly series?: boolean
  /** By key. */
  readonly settings: ReadonlyMap<string, PropertySettingRow>
  readonly engine: Engine
}

export async function eventDetail(
  applied: Applied,
  { name, properties, series: withPoints = true, settings, engine }: EventDetailOf,
): Promise<Answered<Static<typeof EventDetail>>> {
  const { range, comparison, interval } = applied
  const points = seriesOf(applied)
  const keys = [...new Set(properties.map(given => keyNamed(given, settings)))]
  const { notes, ...found } = await engine.query({
    ...queryOf(applied),
    asked: {
      report: 'event',
      name,
      ...spansOf(applied),
      series: withPoints ? [points.spans, points.comparisonSpans] : [[], []],
      properties: keys,
      limit: ROWS,
    },
  })
  const { series, comparisonSeries } = points.shownBy(sums => figures(ofPoints, sums))(...found.series)
  const labelOfKey = (key: string) => settings.get(key)?.display_name ?? key
  const now = { sums: found.sums, bases: { allVisitors: 0, convertible: found.base } }
  const then = found.compared && { sums: found.compared, bases: { allVisitors: 0, convertible: found.comparedBase } }
  const metrics = figures(ofEvents, now.sums, now.bases)
  const before = then && figures(ofEvents, then.sums, then.bases)
  const rows = valuesOf(found)
  const shownKeys = found.keys.filter(({ key }) => settings.get(key)?.hidden !== 1)
  const data = {
    period: periodOf(range),
    value: name,
    label: name,
    names: found.names,
    hidden: found.hidden,
    metrics,
    first_seen_at: iso(found.firstAt),
    last_seen_at: iso(found.lastAt),
    interval,
    ...(withPoints && { series }),
    properties: keys.map((key, i) => ({
      key,
      label: labelOfKey(key),
      rows: rows(found.properties[i] ?? [], `property:${key}`),
    })),
    aggregates: shownKeys
      .flatMap(({ key, numbers, comparedNumbers }) =>
        numbers
          ? [
              {
                key,
                label: labelOfKey(key),
                ...rounded(numbers),
                ...(comparison ? { comparison: comparedNumbers && rounded(comparedNumbers) } : {}),
              },
            ]
          : [],
      )
      .slice(0, MAX_AGGREGATES),
    keys: shownKeys.slice(0, MAX_KEYS).map(({ key, hits }) => ({ key, label: labelOfKey(key), events: hits })),
    pages: rows(found.pages, 'page'),
    sources: rows(found.sources, 'source'),
    ...(comparison && then && before
      ? {
          comparison: {
            period: periodOf(comparison),
            metrics: before,
            change: changes(metrics, before, [now, then]),
            ...(withPoints && { series: comparisonSeries }),
          },
        }
      : {}),
  }
  return { data, notes }
}

const valuesOf =
  ({ sums, compared }: Found) =>
  (rows: readonly EventRow[], name: string) => {
    const dimension = dimensionOf(name)
    const [now, then] = [
      { allVisitors: sums.visitors, convertible: 0 },
      { allVisitors: compared?.visitors ?? 0, convertible: 0 },
    ]
    return rows.map(row => ({
      value: row.value,
      label: dimension ? labelOf(dimension, row.value) : row.value,
      ...comparedFigures(ofValues, { sums: row.sums, bases: now }, row.compared && { sums: row.compared, bases: then }),
    }))
  }

/** Finds the key of a property by its display name or its key. */
function keyNamed(given: string, settings: ReadonlyMap<string, PropertySettingRow>): string {
  for (const { key, display_name } of settings.values()) if (display_name === given) return key
  return given
}

/** Removes rounding errors of binary fractions. */
function rounded({ count, ...rest }: Distribution) {
  const entries = Object.entries(rest).map(([name, value]) => [name, Number(value.toFixed(6))])
  return { count, ...(Object.fromEntries(entries) as Omit<Distribution, 'count'>) } // the same keys, with rounded values
}
