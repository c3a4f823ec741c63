/** Columns of days from their blocks: each is unpacked without the others, and the parts of several blocks are joined. */
import type { Db } from '../../store.ts'
import { runNamed } from '../../sql/named-statements.ts'
import { type Block, openBlock } from '../../packed/block.ts'
import type { FieldName } from '../../packed/field-numbers.ts'
import { visitIdsOf } from '../../packed/day-blocks.ts'
import { type VisitDimension, visitDimensions } from '../../tables/index.ts'
import { type Column, columnOf, concatenated } from '../columns/column.ts'
import { clicksOf, vitalsOf } from './build-measures.ts'
import { dayOf } from './build-day.ts'
import type { Day, DayBounds, Hits, Props, Visits } from './day.ts'
import { columnNumbers, type PartName } from './sealed-columns.ts'
import type { SealedDay } from './sealed-day.ts'

/** The blocks of some days, by day, in order. @param days in any order */
export async function readBlocks(db: Db, site: number, days: readonly number[]): Promise<Map<number, Block[]>> {
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
    const known = found.get(day)
    if (known) known.push(openBlock(data))
    else found.set(day, [openBlock(data)])
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

/** A whole day from its blocks, as `buildDay` makes it from rows. */
export function dayFromBlocks(bounds: DayBounds, blocks: readonly Block[]): Day {
  const counts = (table: keyof Block['counts']): number => blocks.reduce((sum, block) => sum + block.counts[table], 0)
  const [ofVisits, ofHits, ofProps] = (['visits', 'hits', 'props'] as const).map(part => columnsOf(blocks, bounds, part))
  const visit = (name: string): Column => ofVisits?.(name) ?? none
  const visitor = visit('visitor')
  const visits: Visits = {
    ...(Object.fromEntries(visitDimensions.map(name => [name, visit(name)])) as Record<VisitDimension, Column>), // one each
    count: visitor.length,
    visitor,
    visitors: (visitor.at(-1) ?? 0) + 1,
    number: visit('number'),
    pageviews: visit('pageviews'),
    bounce: visit('bounce'),
    duration: visit('duration'),
    revenue: visit('revenue'),
    person: visit('person'),
    purchases: visit('purchases'),
    firstHit: visit('firstHit'),
  }
  const hit = (name: string): Column => ofHits?.(name) ?? none
  const hits: Hits = {
    count: counts('hits'),
    at: hit('at'),
    page: hit('page'),
    event: hit('event'),
    revenue: hit('revenue'),
    engaged: hit('engaged'),
    scroll: hit('scroll'),
  }
  const prop = (name: string): Column => ofProps?.(name) ?? none
  const props: Props = { count: counts('props'), hit: prop('hit'), key: prop('key'), value: prop('value') }
  return dayOf(bounds, { visits, hits, props })
}

const none = new Uint8Array(0)

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
    if (field !== undefined) return concatenated(blocks.map(block => columnOf(block.get(field))))
    if (name === 'at') return concatenated(blocks.map(block => columnOf(Float64Array.from(block.get('at'), at => at - startsAt))))
    if (name === 'purchases') return concatenated(blocks.map(purchasesOf))
    if (name === 'firstHit') return placesOf(blocks, 'hits', block => block.known.firstHit.subarray(0, block.counts.visits), true)
    if (name === 'hit') return placesOf(blocks, 'hits', block => block.known.hitOfProp, false)
    throw new Error(`blocks have no ${part}.${name}`)
  }
}

/** Places among the rows of a table, of which earlier blocks have some. @param isEnded whether their number follows */
function placesOf(blocks: readonly Block[], table: 'hits', of: (block: Block) => Uint32Array, isEnded: boolean): Uint32Array {
  const lists = blocks.map(of)
  const out = new Uint32Array(lists.reduce((length, list) => length + list.length, isEnded ? 1 : 0))
  let [to, before] = [0, 0]
  for (const [i, list] of lists.entries()) {
    for (let j = 0; j < list.length; j++) out[to++] = list[j]! + before
    before += blocks[i]!.counts[table]
  }
  if (isEnded) out[to] = before
  return out
}

/** For each visit, how many of its hits have an amount above 0. */
function purchasesOf(block: Block): Column {
  const { visitOfHit } = block.known
  const amounts = block.get('hit_revenue')
  const purchases = new Uint32Array(block.counts.visits)
  for (let h = 0; h < amounts.length; h++) if (amounts[h]! > 0) purchases[visitOfHit[h]!]!++
  return columnOf(purchases)
}

function measuredOf(blocks: readonly Block[], part: 'vitals' | 'clicks'): (name: string) => Column {
  const all = (name: FieldName): number[] => blocks.flatMap(block => Array.from(block.get(name)))
  const visitOf = (place: FieldName, other: FieldName): number[] =>
    blocks.flatMap(block => {
      const [ids, others] = [visitIdsOf(block), block.get(other)]
      return Array.from(block.get(place), (at, i) => (at === 0 ? others[i]! : ids[at - 1]!))
    })
  const columns: Readonly<Record<string, number | Column>> =
    part === 'vitals'
      ? {
          ...vitalsOf({
            page: all('vital_page'),
            metric: all('vital_metric'),
            device: all('vital_device'),
            value: all('vital_value'),
            visit: visitOf('vital_place', 'vital_other'),
          }),
        }
      : {
          ...clicksOf({
            page: all('click_page'),
            selector: all('selector'),
            x: all('x'),
            y: all('y'),
            visit: visitOf('click_place', 'click_other'),
          }),
        }
  return name => {
    const column = columns[name]
    if (typeof column !== 'object') throw new Error(`blocks have no ${part}.${name}`)
    return column
  }
}
