/** The columns of a day of a group: the columns of its sites one after another, with ids, visitors and persons that all sites share. (Every `!` is inside bounds.) */
import type { dictionaryOf } from '../../../hits/dictionaries.ts'
import { visitDimensions } from '../../../tables/index.ts'
import { type Column, columnOf, concatenated } from '../../columns/column.ts'
import { type GroupSums, idsOf } from '../../columns/group-sums.ts'
import type { Day, SiteRun, SumsName } from '../day.ts'
import type { GroupTexts } from './group-texts.ts'
import type { Part } from './group-days.ts'
import { allReads, columnsRead, type Reads } from '../reads.ts'
import { columnNumbers, sumsNumbers } from '../sealed-columns.ts'
import { groupsAddedUp, sumsOf } from '../sums.ts'
import { DAY_MS } from '../../../values/durations.ts'

/** A day of a site that is loaded. */
export interface LoadedPart extends Part {
  readonly day: Day
}

interface Merging {
  readonly parts: readonly LoadedPart[]
  readonly runs: readonly SiteRun[]
  readonly texts: GroupTexts
  /** Number of sites of the group. */
  readonly sites: number
}

type Rows = 'visits' | 'hits' | 'props'
type Merge = (merging: Merging) => Promise<Column>

/** The place of each site's rows in the day of the group. */
export function runsOf(parts: readonly LoadedPart[]): SiteRun[] {
  let [visits, hits, props] = [0, 0, 0]
  return parts.map(({ member, day }) => ({
    place: member + 1,
    visits: [visits, (visits += day.visits.count)] as const,
    hits: [hits, (hits += day.hits.count)] as const,
    props: [props, (props += day.props.count)] as const,
  }))
}

const total = (parts: readonly LoadedPart[], of: Rows): number => parts.reduce((sum, { day }) => sum + day[of].count, 0)

/** Numbers of a column, each site's plus or times a number of its own. */
function each(
  rows: Rows,
  parts: readonly LoadedPart[],
  write: (into: Uint32Array, from: number, part: LoadedPart, place: number) => void,
): Column {
  const into = new Uint32Array(total(parts, rows))
  let from = 0
  for (const [place, part] of parts.entries()) {
    write(into, from, part, place)
    from += part.day[rows].count
  }
  return columnOf(into)
}

const columnOfPart = ({ day }: LoadedPart, rows: Rows, name: string): Column =>
  (day[rows] as unknown as Readonly<Record<string, Column>>)[name]! // by its name

const asTheyAre =
  (rows: Rows, name: string): Merge =>
  async ({ parts }) =>
    concatenated(parts.map(part => columnOfPart(part, rows, name)))

/** Ids of texts. */
const translated =
  (rows: Rows, name: string, dictionary: keyof typeof dictionaryOf): Merge =>
  async ({ parts, texts }) => {
    const maps: Uint32Array[] = []
    for (const { member } of parts) maps.push(await texts.idsOf(dictionary, member))
    return each(rows, parts, (into, from, part, place) => {
      const column = columnOfPart(part, rows, name)
      const ids = maps[place]!
      for (let i = 0; i < column.length; i++) into[from + i] = ids[column[i]!]!
    })
  }

/** Numbers that count on from the numbers of the site before. */
const continued =
  (rows: Rows, name: string, base: (merging: Merging) => readonly number[]): Merge =>
  async merging => {
    const bases = base(merging)
    return each(rows, merging.parts, (into, from, part, place) => {
      const column = columnOfPart(part, rows, name)
      for (let i = 0; i < part.day[rows].count; i++) into[from + i] = column[i]! + bases[place]!
    })
  }

/** The first number of the visitors of each part. */
export function visitorBases(parts: readonly LoadedPart[]): number[] {
  let base = 0
  return parts.map(({ day }) => {
    const own = base
    base += day.visits.visitors
    return own
  })
}

const hitBases = ({ runs }: Merging) => runs.map(({ hits: [from] }) => from)

async function firstHits(merging: Merging): Promise<Column> {
  const { parts } = merging
  const first = new Uint32Array(total(parts, 'visits') + 1)
  first.set(await continued('visits', 'firstHit', hitBases)(merging))
  first[first.length - 1] = total(parts, 'hits')
  return first
}

/** Persons of two sites are two: their numbers alternate. */
async function persons({ parts, sites }: Merging): Promise<Column> {
  return each('visits', parts, (into, from, { day, member }) => {
    const { person, count } = day.visits
    for (let v = 0; v < count; v++) {
      const number = person[v]!
      if (number === 0) continue
      const shared = (number - 1) * sites + member + 1
      if (shared > MAX_PERSON) throw new Error(`a group of ${sites} sites cannot have a person ${number}`)
      into[from + v] = shared
    }
  })
}
const MAX_PERSON = 2 ** 32 - 1

async function times({ parts }: Merging): Promise<Column> {
  if (parts.every(({ timeOf }) => timeOf === null)) return concatenated(parts.map(({ day }) => day.hits.at))
  return concatenated(parts.map(({ day, timeOf }) => (timeOf === null ? day.hits.at : Float64Array.from(day.hits.at, timeOf))))
}

async function values({ parts, texts }: Merging): Promise<Column> {
  const maps: ReadonlyMap<number, Uint32Array>[] = []
  for (const { day, member } of parts) {
    const own = new Map<number, Uint32Array>()
    for (const key of new Set(day.props.key)) own.set(key, await texts.valuesOf(key, member))
    maps.push(own)
  }
  return each('props', parts, (into, from, { day: { props } }, place) => {
    const own = maps[place]!
    for (let p = 0; p < props.count; p++) into[from + p] = own.get(props.key[p]!)![props.value[p]!]!
  })
}

const special: Readonly<Record<string, Merge>> = {
  'visits.visitor': continued('visits', 'visitor', ({ parts }) => visitorBases(parts)),
  'visits.firstHit': firstHits,
  'visits.person': persons,
  'hits.at': times,
  'hits.page': translated('hits', 'page', 'page'),
  'hits.event': translated('hits', 'event', 'event'),
  'hits.host': translated('hits', 'host', 'hostname'),
  'props.hit': continued('props', 'hit', hitBases),
  'props.key': translated('props', 'key', 'prop_key'),
  'props.value': values,
  ...Object.fromEntries(visitDimensions.map(name => [`visits.${name}`, translated('visits', name, name)])),
}

/** How each column is made, by its stored number. Vitals and clicks are read by `Measures`. */
const merges: ReadonlyMap<number, Merge> = new Map(
  (['visits', 'hits', 'props'] as const).flatMap(rows =>
    Object.entries(columnNumbers[rows]).map(([name, number]) => [number, special[`${rows}.${name}`] ?? asTheyAre(rows, name)] as const),
  ),
)

export const isMerged = (number: number): boolean => merges.has(number)

/** @param number as it is stored */
export async function mergedColumn(number: number, merging: Merging): Promise<Column> {
  const merge = merges.get(number)
  if (!merge) throw new Error(`a group has no column ${number}`)
  return merge(merging)
}

const names: ReadonlyMap<number, SumsName> = new Map(Object.entries(sumsNumbers).map(([name, number]) => [number, name as SumsName])) // the object's own keys

/** @param number as it is stored */
export async function mergedSums(number: number, { parts, texts }: Merging): Promise<GroupSums> {
  const name = names.get(number)
  if (!name) throw new Error(`there are no sums ${number}`)
  const all: { readonly sums: GroupSums; readonly groups: ArrayLike<number> }[] = []
  for (const part of parts) {
    const sums = name === 'hour' ? hoursOf(part) : part.day.sums[name]
    const own = idsOf(sums)
    const ids = name === 'hour' ? null : await texts.idsOf(name, part.member)
    all.push({ sums, groups: ids === null ? own : Uint32Array.from(own, id => ids[id]!) })
  }
  return groupsAddedUp(all)
}

/** The sums of hours, which are counted again where the clock changes. */
function hoursOf({ day, timeOf }: LoadedPart): GroupSums {
  if (timeOf === null) return day.sums.hour
  const hits = Object.create(day.hits, { at: { value: Float64Array.from(day.hits.at, timeOf) } }) as Day['hits'] // with other times
  return sumsOf({
    ...{ day: day.day, startsAt: 0, endsAt: DAY_MS, bytes: 0 },
    visits: day.visits,
    hits,
    props: day.props,
    vitals: null,
    clicks: null,
  }).hour
}

const hoursCounted = columnsRead(
  ...(['visits.visitor', 'visits.bounce', 'visits.duration', 'visits.firstHit'] as const),
  ...(['hits.at', 'hits.event', 'hits.revenue', 'hits.engaged'] as const),
)
const keysOfValues = columnsRead('props.key')

/** The parts of a day of a site that have to be read for something of a day of the group. */
export function readsOfPart({ columns, sums }: Reads, { timeOf }: Part): Reads {
  const values = columns.has(columnNumbers.props.value) ? [keysOfValues] : []
  if (timeOf === null || !sums.has(sumsNumbers.hour)) return allReads([{ columns, sums }, ...values])
  const others = new Set(sums)
  others.delete(sumsNumbers.hour)
  return allReads([{ columns, sums: others }, hoursCounted, ...values])
}
