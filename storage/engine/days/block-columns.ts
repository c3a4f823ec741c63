/** Columns of days from their blocks: each is unpacked without the others, and the parts of several blocks are joined. */
import { packedDays } from '../../moved-days/packed-days.ts'
import type { Db } from '../../store.ts'
import { runNamed } from '../../sql/named-statements.ts'
import { type Block, openBlock } from '../../packed/block.ts'
import type { FieldName } from '../../packed/field-numbers.ts'
import { visitIdsOf } from '../../packed/day-blocks.ts'
import type { NumberList } from '../../packed/known.ts'
import { visitDimensions } from '../../tables/index.ts'
import { type Column, columnOf, concatenated } from '../columns/column.ts'
import { clicksOf, vitalsOf } from './build-measures.ts'
import { hostsOf } from './build-day.ts'
import type { ClickColumns, Day, DayBounds, VitalColumns } from './day.ts'
import { columnNumbers, type PartName } from './sealed-columns.ts'
import type { SealedDay } from './sealed-day.ts'
import { sumsOf } from './sums.ts'
import { addTo } from '../../values/grouped.ts'

/** The blocks of some days, by day, in order. @param days in any order */
async function readBlocks(db: Db, site: number, days: readonly number[]): Promise<Map<number, Block[]>> {
  const ofDays = db
    .selectFrom('day_blocks')
    .select(['day', 'data'])
    .where('site_id', '=', site)
    .where('day', '>=', Math.min(...days))
    .where('day', '<=', Math.max(...days))
    .orderBy('day')
    .orderBy('block')
  const found = new Map<number, Block[]>()
  const wanted = new Set(days)
  for (const { day, data } of (await runNamed(db, 'block-columns.read', ofDays)).rows) {
    if (!wanted.has(day)) continue
    addTo(found, day, openBlock(data))
  }
  return found
}

/**
 * Loads columns of sealed days whose blocks are there.
 * @returns the others: they have been sealed otherwise since they were read into memory
 */
export async function loadFromBlocks<Of extends { readonly siteDay: DayBounds; readonly sealed: SealedDay }>(
  db: Db,
  { site, days, numbers }: { site: number; days: readonly Of[]; numbers: ReadonlySet<number> },
): Promise<Of[]> {
  const found = await readBlocks(
    db,
    site,
    days.map(({ siteDay }) => siteDay.day),
  )
  return days.filter(({ siteDay, sealed }) => {
    const blocks = found.get(siteDay.day)
    if (!blocks) return true
    for (const part of partNames) {
      const isLacking = (number: number) => numbers.has(number) && !sealed.has('columns', number)
      const lacking = Object.entries(columnNumbers[part]).filter(([, number]) => isLacking(number))
      if (lacking.length === 0) continue
      const of = columnsOf(blocks, sealed.day, part)
      for (const [name, number] of lacking) sealed.setColumn(number, of(name))
    }
    return false
  })
}

const partNames = Object.keys(columnNumbers) as PartName[] // the object's own keys

/** Days whose rows are only in blocks. */
export async function daysFromBlocks<Of extends DayBounds>(db: Db, { site, days }: { site: number; days: readonly Of[] }): Promise<Day[]> {
  const blocks = await readBlocks(
    db,
    site,
    days.map(({ day }) => day),
  )
  return days.map(day => dayFromBlocks(day, blocks.get(day.day) ?? missingBlocks(day)))
}

function missingBlocks({ day }: DayBounds): never {
  throw packedDays.incomplete(day)
}

/** A day of which each column is unpacked when it is first read. */
function dayFromBlocks(bounds: DayBounds, blocks: readonly Block[]): Day {
  const counts = (table: keyof Block['counts']): number => blocks.reduce((sum, block) => sum + block.counts[table], 0)
  const part = <Name extends 'visits' | 'hits' | 'props'>(name: Name): Day[Name] =>
    new Parts[name](counts(name), columnsOf(blocks, bounds, name)) as unknown as Day[Name] // a property for each column
  const [visits, hits, props] = [part('visits'), part('hits'), part('props')]
  const { day, startsAt, endsAt } = bounds
  const columns = { visits, hits, props, bytes: maxBytes({ visits, hits, props }) }
  const measures = (['vitals', 'clicks'] as const).map(name => once(() => measuresFrom(blocks, counts(name), name)))
  const built = {
    day,
    startsAt,
    endsAt,
    ...columns,
    get vitals() {
      return measures[0]?.() as VitalColumns // in this order
    },
    get clicks() {
      return measures[1]?.() as ClickColumns
    },
  }
  return Object.freeze(Object.defineProperties({ sums: sumsOf(built) }, Object.getOwnPropertyDescriptors(built))) as Day // both
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** A part of a day: its columns are made when they are first read. */
class PartOfBlocks {
  readonly count: number
  readonly #of: (name: string) => Column
  readonly #columns = new Map<string, Column>()

  constructor(count: number, of: (name: string) => Column) {
    this.count = count
    this.#of = of
  }

  column(name: string): Column {
    const known = this.#columns.get(name)
    if (known) return known
    const column = this.#of(name)
    this.#columns.set(name, column)
    return column
  }

  /** Number of visitors of the visits. */
  get visitors(): number {
    return (this.column('visitor').at(-1) ?? 0) + 1
  }
}

function withColumns(names: readonly string[]): typeof PartOfBlocks {
  class Part extends PartOfBlocks {}
  for (const name of names) {
    Object.defineProperty(Part.prototype, name, {
      get(this: PartOfBlocks) {
        return this.column(name)
      },
    })
  }
  return Part
}
const Parts = {
  visits: withColumns(Object.keys(columnNumbers.visits)),
  hits: withColumns(Object.keys(columnNumbers.hits)),
  props: withColumns(Object.keys(columnNumbers.props)),
}

/** Bytes of a typed array without its numbers, and of a number of most columns. */
const [OBJECT, NUMBER] = [200, 2]

/** About the bytes of all columns, as if each had been read: a cache asks before that. */
const maxBytes = (parts: Pick<Day, 'visits' | 'hits' | 'props'>): number =>
  (['visits', 'hits', 'props'] as const).reduce(
    (sum, part) => sum + Object.keys(columnNumbers[part]).length * (OBJECT + NUMBER * parts[part].count),
    0,
  )

/** Columns that are fields of blocks under another name. */
const fieldOf: Readonly<Record<'visits' | 'hits' | 'props', Readonly<Record<string, FieldName>>>> = {
  visits: {
    visitor: 'visitor',
    number: 'number',
    pageviews: 'pageviews',
    bounce: 'bounce',
    duration: 'duration',
    revenue: 'revenue',
    person: 'person',
    ...Object.fromEntries(visitDimensions.map(name => [name, name])),
  },
  hits: { page: 'page', event: 'event', revenue: 'hit_revenue', engaged: 'engaged_ms', scroll: 'scroll' },
  props: { key: 'key', value: 'value' },
}

/** A function for the columns of a part of a day, by name. */
function columnsOf(blocks: readonly Block[], { startsAt }: DayBounds, part: PartName): (name: string) => Column {
  if (part === 'vitals' || part === 'clicks') return measuredOf(blocks, part)
  return name => {
    const field = fieldOf[part][name]
    if (field !== undefined) return concatenated(blocks.map(block => narrow(block.get(field))))
    if (name === 'at') return concatenated(blocks.map(block => timesOf(block, startsAt)))
    if (name === 'host') return concatenated(blocks.map(hostsOfBlock))
    if (name === 'purchases') return concatenated(blocks.map(purchasesOf))
    if (name === 'firstHit') return firstHitsOf(blocks)
    if (name === 'hit') return hitsOfProps(blocks)
    throw new Error(`blocks have no ${part}.${name}`)
  }
}

/** A column of numbers, whose own memory is used if it is narrow. */
const narrow = (numbers: NumberList): Column =>
  numbers instanceof Uint8Array || numbers instanceof Uint16Array || numbers instanceof Uint32Array ? numbers : columnOf(numbers)

function timesOf(block: Block, startsAt: number): Column {
  const times = block.get('at')
  const since = new Float64Array(times.length)
  for (let h = 0; h < since.length; h++) since[h] = times[h]! - startsAt
  return columnOf(since)
}

/** The first hit of each visit among the hits of all blocks, and the number of hits. */
function firstHitsOf(blocks: readonly Block[]): Uint32Array {
  const [first, ...others] = blocks
  if (first && others.length === 0) return first.known.firstHit
  const out = new Uint32Array(1 + blocks.reduce((sum, { counts }) => sum + counts.visits, 0))
  let [to, before] = [0, 0]
  for (const { known, counts } of blocks) {
    const { firstHit } = known
    for (let v = 0; v < counts.visits; v++) out[to++] = firstHit[v]! + before
    before += counts.hits
  }
  out[to] = before
  return out
}

/** The hit of each property among the hits of all blocks. */
function hitsOfProps(blocks: readonly Block[]): Uint32Array {
  const [first, ...others] = blocks
  if (first && others.length === 0) return first.known.hitOfProp
  const out = new Uint32Array(blocks.reduce((sum, { counts }) => sum + counts.props, 0))
  let [to, before] = [0, 0]
  for (const { known, counts } of blocks) {
    const { hitOfProp } = known
    for (let p = 0; p < hitOfProp.length; p++) out[to++] = hitOfProp[p]! + before
    before += counts.hits
  }
  return out
}

const hostsOfBlock = (block: Block): Column =>
  hostsOf(block.get('host'), { firstHit: block.known.firstHit, hostname: columnOf(block.get('hostname')) })

/** For each visit, how many of its hits have an amount above 0. */
function purchasesOf({ get, known, counts }: Block): Column {
  const purchases = new Uint32Array(counts.visits)
  const sells = get('sells')
  let amounts: NumberList | undefined
  for (let v = 0; v < purchases.length; v++) {
    if (sells[v] === 0) continue
    amounts ??= get('hit_revenue')
    const { firstHit } = known
    for (let h = firstHit[v]!; h < firstHit[v + 1]!; h++) if (amounts[h]! > 0) purchases[v]!++
  }
  return columnOf(purchases)
}

function measuredOf(blocks: readonly Block[], part: 'vitals' | 'clicks'): (name: string) => Column {
  const columns = measuresFrom(blocks, 1, part) as unknown as Readonly<Record<string, number | Column>> // by name
  return name => {
    const column = columns[name]
    if (typeof column !== 'object') throw new Error(`blocks have no ${part}.${name}`)
    return column
  }
}

/** @param count of rows; those of none are not looked for */
function measuresFrom(blocks: readonly Block[], count: number, part: 'vitals' | 'clicks'): VitalColumns | ClickColumns {
  const all = (name: FieldName): number[] => (count === 0 ? [] : blocks.flatMap(block => Array.from(block.get(name))))
  const visitOf = (place: FieldName, other: FieldName): number[] =>
    count === 0
      ? []
      : blocks.flatMap(block => {
          const [ids, others] = [visitIdsOf(block), block.get(other)]
          return Array.from(block.get(place), (at, i) => (at === 0 ? others[i]! : ids[at - 1]!))
        })
  return part === 'vitals'
    ? vitalsOf({
        page: all('vital_page'),
        metric: all('vital_metric'),
        device: all('vital_device'),
        value: all('vital_value'),
        visit: visitOf('vital_place', 'vital_other'),
      })
    : clicksOf({
        page: all('click_page'),
        selector: all('selector'),
        x: all('x'),
        y: all('y'),
        visit: visitOf('click_place', 'click_other'),
      })
}
