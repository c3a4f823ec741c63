/** Rows of a day as blocks for the cluster, with the sums of their columns to compare what was stored with. */
import { visitDimensions } from '../tables/index.ts'
import { type DayRows, placesBy, type Rows } from './day-rows.ts'
import { encodeBlock, type NativeColumn, type Scalar } from './native.ts'
import { clickTypes, clusterTables, hitTypes, propTypes, type TableName, vitalTypes, visitTypes } from './tables.ts'

export interface Written {
  readonly rows: number
  /** By column: all its numbers, added up. */
  readonly sums: ReadonlyMap<string, number>
  /** @throws RangeError if a number does not fit its column */
  blocks(): Iterable<Uint8Array>
}

export interface CopyOf {
  readonly site: number
  readonly day: number
  readonly copy: number
  /** Epoch ms that instants are stored relative to. */
  readonly base: number
}

/** Visits in a block: 10 to 30 MB. */
const ROWS_AT_ONCE = 65_536
const VISITS_A_VISITOR = 256

/** @throws Error if hits or properties do not belong to the visits */
export function writtenOf(of: CopyOf, rows: DayRows): Readonly<Record<TableName, Written>> {
  return {
    footfall_visits: written('footfall_visits', visitColumns(of, rows)),
    footfall_vitals: written(
      'footfall_vitals',
      measuredColumns(of, { rows: rows.vitals, types: vitalTypes, by: ['page', 'metric', 'device', 'visit_id', 'seq'] }),
    ),
    footfall_clicks: written(
      'footfall_clicks',
      measuredColumns(of, { rows: rows.clicks, types: clickTypes, by: ['page', 'selector', 'visit_id', 'seq'] }),
    ),
  }
}

function written(table: TableName, columns: readonly NativeColumn[]): Written {
  const rows = columns[0]?.values.length ?? 0
  // In the order that inserts name columns in.
  const { values, arrays } = clusterTables[table]
  const names = [...Object.keys(values), ...Object.keys(arrays)]
  const inOrder = names.map(name => columns.find(column => column.name === name) ?? missing(name))
  const sums = new Map(inOrder.filter(isSummed).map(({ name, values: all }) => [name, sumOf(all)]))
  return {
    rows,
    sums,
    *blocks() {
      for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
        const to = Math.min(rows, from + ROWS_AT_ONCE)
        yield encodeBlock(
          inOrder.map(column => within(column, from, to)),
          to - from,
        )
      }
    },
  }
}

/** Floats are not compared, as their sum depends on its order; neither is the copy's number, of which every row is. */
export const isSummed = ({ name, type }: { readonly name: string; readonly type: Scalar }): boolean =>
  type !== 'Float64' && name !== 'copy' && name !== 'base'

function sumOf(numbers: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < numbers.length; i++) sum += numbers[i] ?? 0
  return sum
}

function within({ name, type, values, ends }: NativeColumn, from: number, to: number): NativeColumn {
  const all = Array.isArray(values) ? (values as readonly number[]) : Array.from(values)
  if (!ends) return { name, type, values: all.slice(from, to) }
  const before = from === 0 ? 0 : (ends[from - 1] ?? 0)
  return {
    name,
    type,
    values: all.slice(before, ends[to - 1] ?? 0),
    ends: Array.from({ length: to - from }, (_, i) => (ends[from + i] ?? 0) - before),
  }
}

function missing(name: string): never {
  throw new Error(`the rows of a day have no ${name}`)
}

const visitorOf = (id: number): number => Math.floor(id / VISITS_A_VISITOR)
const numberOf = (id: number): number => id % VISITS_A_VISITOR

function visitColumns({ site, day, copy, base }: CopyOf, { visits, hits, props }: DayRows): NativeColumn[] {
  const places = placesBy(visits, ['visit_id'])
  const ids = places.map(place => visits.visit_id[place] ?? 0)
  const hitPlaces = placesBy(hits, ['visit_id', 'at', 'seq'])
  const hitEnds = endsOf(ids, hitPlaces, hits.visit_id)
  /** Values of each hit, in order. */
  const ofHits = (values: readonly number[]): number[] => hitPlaces.map(place => values[place] ?? 0)
  const [hitVisits, hitSeqs, amounts] = [ofHits(hits.visit_id), ofHits(hits.seq), ofHits(hits.revenue)]

  /** The place of each property's hit among the hits of its visit. */
  const placeOfHit = new Map<string, number>()
  for (let v = 0, h = 0; v < ids.length; v++) {
    for (let place = 0; h < (hitEnds[v] ?? 0); h++, place++) placeOfHit.set(`${hitVisits[h]} ${hitSeqs[h]}`, place)
  }
  const propHits = props.visit_id.map((id, i) => placeOfHit.get(`${id} ${props.seq[i]}`) ?? missing('hit of a property'))
  const propPlaces = placesBy({ visit_id: props.visit_id, hit: propHits, key: props.key }, ['visit_id', 'hit', 'key'])
  const propEnds = endsOf(ids, propPlaces, props.visit_id)
  const ofProps = (values: readonly number[]): number[] => propPlaces.map(place => values[place] ?? 0)

  const of = (name: keyof typeof visits): number[] => places.map(place => visits[name][place] ?? 0)
  const values: Record<keyof typeof visitTypes, readonly number[]> = {
    ...constants({ site, day, copy, base }, ids.length),
    visitor: ids.map(visitorOf),
    number: ids.map(numberOf),
    alone: ids.map((id, v) => (visitorOf(ids[v - 1] ?? -1) === visitorOf(id) || visitorOf(ids[v + 1] ?? -1) === visitorOf(id) ? 0 : 1)),
    stands_for: ids.map((_, v) => (v % ROWS_AT_ONCE === 0 ? Math.min(ROWS_AT_ONCE, ids.length - v) : 0)),
    started: of('started_at').map(at => at - base),
    duration: of('duration'),
    pageviews: of('pageviews'),
    events: of('events'),
    bounce: of('bounce'),
    revenue: of('revenue'),
    purchases: countsOf(hitEnds, amounts),
    entry_after: of('entry_after'),
    exit_after: of('exit_after'),
    next_seq: of('next_seq'),
    attended: of('attended_at').map(at => (at === 0 ? 0 : at - base + 1)),
    person: of('person'),
    person_after: of('person_after'),
    ...(Object.fromEntries(visitDimensions.map(name => [name, of(name)])) as Record<(typeof visitDimensions)[number], number[]>), // one each
  }
  const arraysOfHits: Record<keyof typeof hitTypes, readonly number[]> = {
    h_seq: hitSeqs,
    h_at: ofHits(hits.at).map(at => at - base),
    h_page: ofHits(hits.page),
    h_event: ofHits(hits.event),
    h_interactive: ofHits(hits.interactive),
    h_revenue: amounts,
    h_engaged: ofHits(hits.engaged_ms),
    h_scroll: ofHits(hits.scroll),
    h_host: ofHits(hits.host),
  }
  const arraysOfProps: Record<keyof typeof propTypes, readonly number[]> = {
    p_hit: ofProps(propHits),
    p_key: ofProps(props.key),
    p_value: ofProps(props.value),
    p_num: ofProps(props.num),
  }
  return [...typed(visitTypes, values), ...typed(hitTypes, arraysOfHits, hitEnds), ...typed(propTypes, arraysOfProps, propEnds)]
}

/** Vitals or clicks, in the order of the table. */
function measuredColumns<Name extends string>(
  { site, day, copy }: CopyOf,
  {
    rows,
    types,
    by,
  }: { rows: Rows<Name | 'visit_id' | 'seq'>; types: Readonly<Record<string, Scalar>>; by: readonly (Name | 'visit_id' | 'seq')[] },
): NativeColumn[] {
  const places = placesBy(rows, by as readonly never[]) // fields of these rows
  const of = (name: Name | 'visit_id' | 'seq'): number[] => places.map(place => rows[name][place] ?? 0)
  const ids = of('visit_id')
  const values: Record<string, readonly number[]> = {
    ...Object.fromEntries((Object.keys(rows) as Name[]).map(name => [name, of(name)])),
    ...constants({ site, day, copy }, ids.length),
    visitor: ids.map(visitorOf),
    number: ids.map(numberOf),
  }
  return typed(types, values)
}

/** The end of each visit's rows. @param places of rows that are sorted by visit @throws Error if a row has no visit */
function endsOf(ids: readonly number[], places: readonly number[], visits: readonly number[]): number[] {
  let next = 0
  const ends = ids.map(id => {
    while (next < places.length && visits[places[next] ?? 0] === id) next++
    return next
  })
  if (next !== places.length) throw new Error('the rows of a day do not fit its visits')
  return ends
}

/** How many numbers of each row are above 0. */
function countsOf(ends: readonly number[], numbers: readonly number[]): number[] {
  let at = 0
  return ends.map(end => {
    let count = 0
    for (; at < end; at++) if ((numbers[at] ?? 0) > 0) count++
    return count
  })
}

const constants = <Name extends string>(of: Readonly<Record<Name, number>>, length: number): Record<Name, number[]> =>
  Object.fromEntries(Object.entries<number>(of).map(([name, value]) => [name, Array<number>(length).fill(value)])) as Record<Name, number[]> // one each

const typed = (
  types: Readonly<Record<string, Scalar>>,
  values: Readonly<Record<string, readonly number[]>>,
  ends?: readonly number[],
): NativeColumn[] =>
  Object.entries(types).map(([name, type]) => ({ name, type, values: values[name] ?? missing(name), ...(ends && { ends }) }))
