/**
 * Loads columns of sealed days from ClickHouse: it selects them from the copy of the day's visits, in the order of the day's
 * columns.
 */
import { type Cluster, type Copy, incompleteIn } from '../../cluster/cluster.ts'
import { clusterOf } from '../../moved-days/cluster-days.ts'
import type { TableName } from '../../cluster/tables.ts'
import type { Db } from '../../store.ts'
import { StorageUnavailable } from '../../values/storage-unavailable.ts'
import { visitDimensions } from '../../tables/index.ts'
import { dateOf } from '../../calendar/zones.ts'
import { type Column, columnOf } from '../columns/column.ts'
import { clicksOf, vitalsOf } from './build-measures.ts'
import type { SiteDay } from './site-days.ts'
import { columnNumbers, READ_FORMATS, type PartName } from './sealed-columns.ts'
import type { SealedDay } from './sealed-day.ts'
import { readCopies } from './segments.ts'

export interface Lacking {
  readonly siteDay: SiteDay
  readonly sealed: SealedDay
}

interface LoadFromCluster {
  readonly cluster: Cluster | undefined
  readonly site: number
  readonly days: readonly Lacking[]
  readonly numbers: ReadonlySet<number>
}

/**
 * Loads columns of days that have a copy.
 * @throws StorageUnavailable `cluster`, naming the days
 */
export async function loadFromCluster(db: Db, { cluster, site, days, numbers }: LoadFromCluster): Promise<void> {
  // A day in memory may have been sealed again at the same `rev`, so that its earlier copy was deleted.
  const current = await readCopies(db, { site, days: days.map(({ siteDay }) => siteDay), format: READ_FORMATS })
  const copies = new Map(current.map(({ day, copy }) => [day, copy]))
  const wanted = days.map(({ siteDay: { day }, sealed }) => ({ day, sealed, copy: (sealed.copy = copies.get(day) ?? sealed.copy) }))
  try {
    const there = clusterOf(cluster)
    await loadVisits(there, { site, days: wanted, numbers })
    await loadMeasured(there, { site, days: wanted, numbers, part: 'vitals' })
    await loadMeasured(there, { site, days: wanted, numbers, part: 'clicks' })
  } catch (error) {
    throw naming(error, wanted)
  }
}

/** Makes the error that names the missing days. */
export function naming(error: unknown, days: readonly { readonly day: number }[]): unknown {
  if (!(error instanceof StorageUnavailable) || error.reason !== 'cluster') return error
  const [first, last] = [Math.min(...days.map(({ day }) => day)), Math.max(...days.map(({ day }) => day))]
  const these = first === last ? dateOf(first) : `${dateOf(first)} to ${dateOf(last)}`
  return new StorageUnavailable('cluster', `${error.message} It has the days ${these}; later ones can be reported.`, { cause: error.cause })
}

interface Wanted extends Copy {
  readonly sealed: SealedDay
}

/** Source of a column of visits, hits or properties: an array has a number for each hit or property. */
const sources: Readonly<Record<'visits' | 'hits' | 'props', Readonly<Record<string, string>>>> = {
  visits: {
    visitor: 'visitor',
    number: 'number',
    pageviews: 'pageviews',
    bounce: 'bounce',
    duration: 'duration',
    revenue: 'revenue',
    purchases: 'purchases',
    person: 'person',
    ...Object.fromEntries(visitDimensions.map(name => [name, name])),
  },
  hits: {
    at: 'h_at',
    page: 'h_page',
    event: 'h_event',
    revenue: 'h_revenue',
    engaged: 'h_engaged',
    scroll: 'h_scroll',
    // A server of a cluster does not know columns that only the body of a lambda names.
    host: 'arrayMap((h, of_visit) -> if(h = 0, of_visit, h), h_host, arrayResize(emptyArrayUInt32(), length(h_host), hostname))',
  },
  props: { key: 'p_key', value: 'p_value' },
}
const visitParts = ['visits', 'hits', 'props'] as const

interface Selected {
  readonly part: (typeof visitParts)[number]
  readonly name: string
  readonly number: number
}

const selectable: readonly Selected[] = visitParts.flatMap(part =>
  Object.entries(columnNumbers[part]).map(([name, number]) => ({ part, name, number })),
)

interface ColumnFor {
  readonly part: Selected['part']
  readonly name: string
  readonly rows: { from: number; to: number }
  readonly starts: Uint32Array | undefined
}

async function loadVisits(
  cluster: Cluster,
  { site, days, numbers }: { site: number; days: readonly Wanted[]; numbers: ReadonlySet<number> },
): Promise<void> {
  const asked = selectable.filter(({ number }) => numbers.has(number))
  if (asked.length === 0) return
  const needs = (part: PartName, name: string) => asked.some(one => one.part === part && one.name === name)
  const selected: Record<string, string> = {}
  for (const { part, name } of asked) {
    const source = sources[part][name]
    if (source !== undefined) selected[`${part}_${name}`] = source
  }
  // The ends of each visit's hits are the same in any array of hits.
  if (needs('visits', 'firstHit') || needs('props', 'hit')) selected.hits = 'length(h_page)'
  if (needs('props', 'hit')) selected.props_hit = 'p_hit'
  if (needs('hits', 'at')) selected.base = 'base'
  const found = await cluster.select('footfall_visits', site, days, selected, 'visitor, number')
  const dayOfRow = found.column('day').values
  let to = 0
  for (const { day, sealed } of days.toSorted((a, b) => a.day - b.day)) {
    const from = to
    while (to < found.rows && dayOfRow[to] === day) to++
    if (to - from !== sealed.day.visits.count) throw incompleteIn(day)
    const rows = { from, to }
    const starts = needs('visits', 'firstHit') || needs('props', 'hit') ? startsOf(found.column('hits').values, rows) : undefined
    for (const { part, name, number } of asked) {
      if (sealed.has('columns', number)) continue
      const column = columnFor({ part, name, rows, starts })
      sealed.setColumn(number, column)
    }

    function columnFor({ part, name, rows: { from, to }, starts }: ColumnFor): Column {
      if (part === 'visits' && name === 'firstHit') return starts ?? new Uint32Array(0)
      const { values, ends } = found.column(`${part}_${name}`)
      if (!ends) return columnOf(values.subarray(from, to))
      const first = from === 0 ? 0 : (ends[from - 1] ?? 0)
      const own = values.subarray(first, to === 0 ? 0 : (ends[to - 1] ?? 0))
      if (own.length !== sealed.day[part].count) throw incompleteIn(day)
      if (part === 'hits' && name === 'at') {
        // The day may have got other boundaries since it was copied.
        const later = (found.column('base').values[from] ?? 0) - sealed.day.startsAt
        return columnOf(later === 0 ? own : own.map(at => at + later))
      }
      if (part === 'props' && name === 'hit') {
        const out = new Uint32Array(own.length)
        for (let v = from, p = 0; v < to; v++) {
          for (const end = (ends[v] ?? 0) - first; p < end; p++) out[p] = (own[p] ?? 0) + (starts?.[v - from] ?? 0)
        }
        return out
      }
      return columnOf(own)
    }
  }
  if (to !== found.rows) throw incompleteIn(days[0]?.day ?? 0)
}

/** The place of each visit's first hit, and the number of hits at the end. */
function startsOf(lengths: ArrayLike<number>, { from, to }: { from: number; to: number }): Uint32Array {
  const starts = new Uint32Array(to - from + 1)
  for (let v = from; v < to; v++) starts[v - from + 1] = (starts[v - from] ?? 0) + (lengths[v] ?? 0)
  return starts
}

const measured = {
  vitals: { table: 'footfall_vitals', fields: ['page', 'metric', 'device', 'value'], order: 'page, metric, device, visitor, number, seq' },
  clicks: { table: 'footfall_clicks', fields: ['page', 'selector', 'x', 'y'], order: 'page, selector, visitor, number, seq' },
} as const satisfies Readonly<Record<string, { table: TableName; fields: readonly string[]; order: string }>>

interface LoadMeasured {
  readonly site: number
  readonly days: readonly Wanted[]
  readonly numbers: ReadonlySet<number>
  readonly part: keyof typeof measured
}

/** Vitals or clicks: all of their columns, as groups are made of several. */
async function loadMeasured(cluster: Cluster, { site, days, numbers, part }: LoadMeasured): Promise<void> {
  const ofPart = columnNumbers[part]
  const asked = days.filter(({ sealed }) => Object.values(ofPart).some(number => numbers.has(number) && !sealed.has('columns', number)))
  if (asked.length === 0) return
  const { table, fields, order } = measured[part]
  const selected = { ...Object.fromEntries(fields.map(name => [name, name])), visit: 'toUInt64(visitor) * 256 + number' }
  const found = await cluster.select(table, site, asked, selected, order)
  const dayOfRow = found.column('day').values
  let to = 0
  for (const { day, sealed } of asked.toSorted((a, b) => a.day - b.day)) {
    const from = to
    while (to < found.rows && dayOfRow[to] === day) to++
    if (to - from !== sealed.day[part]?.count) throw incompleteIn(day)
    const list = (name: string): number[] => Array.from(found.column(name).values.subarray(from, to))
    const both = { page: list('page'), visit: list('visit') }
    const columns: Readonly<Record<string, number | Column>> =
      part === 'vitals'
        ? { ...vitalsOf({ ...both, metric: list('metric'), device: list('device'), value: list('value') }) }
        : { ...clicksOf({ ...both, selector: list('selector'), x: list('x'), y: list('y') }) }
    for (const [name, number] of Object.entries(ofPart)) {
      const column = columns[name]
      if (typeof column === 'object' && !sealed.has('columns', number)) sealed.setColumn(number, column)
    }
  }
  if (to !== found.rows) throw incompleteIn(asked[0]?.day ?? 0)
}
