/** Goals as bits: which of up to 32 goals each hit of a day completes. (Every `!` reads inside a column's bounds.) */
import type { DayColumns, SiteRun } from '../days/day.ts'
import type { Dictionary } from '../days/dictionary.ts'
import { allReads, columnsRead, NO_COLUMNS, type Reads } from '../days/reads.ts'
import { composed, orComposed } from '../../values/composed.ts'
import { pathMatcher } from '../vocabulary/path-pattern.ts'
import type { Goal } from '../vocabulary/scope.ts'
import { type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import type { Texts } from '../days/texts.ts'
import { isPageview } from './seen-pages.ts'

export const GOALS_AT_ONCE = 32

/** Bits by id of page and event; goals that require a property are checked with the properties. */
export interface GoalBits {
  readonly ofPage: Uint32Array
  readonly ofEvent: Uint32Array
  readonly withProperty: readonly WithProperty[]
  /** For the bits of one day's hits. */
  readonly buffer: ReusedBuffer<Uint32Array>
  /** Of a group, by the place of the site: on each, other hits complete the goals. A site without a row has none of them. */
  readonly bySite?: ReadonlyMap<number, GoalBits> | undefined
}
interface WithProperty {
  readonly bit: number
  readonly pages: Uint8Array | null
  readonly event: number
  readonly key: number
  /** 1 for the matching values; null for any. */
  readonly values: Uint8Array | null
}

/** @param bits of each goal; goals may share one */
export async function goalBits(goals: readonly Goal[], bits: readonly number[], texts: Texts): Promise<GoalBits> {
  if (!goals.some(({ ofSites }) => ofSites)) return sameBits(goals, bits, texts)
  const known = new Map<string, Promise<GoalBits>>() // most sites of a group have the same goals
  const bySite = new Map<number, GoalBits>()
  for (const [place, site] of (await texts.sites()).entries()) {
    const own = goals.flatMap((goal, i) => {
      const one = goal.ofSites ? goal.ofSites.find(each => each.site === site)?.goal : goal
      return one ? [{ goal: { ...goal, ...one, ofSites: undefined }, bit: bits[i] ?? 0 }] : []
    })
    const key = JSON.stringify(own.map(({ goal: { id: _, name: __, ...rest }, bit }) => [rest, bit]))
    const found = known.get(key) ?? sameBits(...listsOf(own), texts)
    known.set(key, found)
    bySite.set(place, await found)
  }
  const each = [...new Set(bySite.values())]
  return {
    ...{ ofPage: noBits, ofEvent: noBits, buffer: reusedBuffer(Uint32Array), bySite },
    withProperty: each.flatMap(({ withProperty }) => withProperty),
  }
}

const noBits = new Uint32Array(0)

const listsOf = (own: readonly { readonly goal: Goal; readonly bit: number }[]) =>
  [own.map(({ goal }) => goal), own.map(({ bit }) => bit)] as const

/** The bits of goals that the same hits complete on every site. */
async function sameBits(goals: readonly Goal[], bits: readonly number[], texts: Texts): Promise<GoalBits> {
  const [pages, events] = [await texts.of('page'), await texts.of('event')]
  const ofPage = new Uint32Array(pages.length)
  const ofEvent = new Uint32Array(events.length)
  const withProperty: WithProperty[] = []
  for (const [i, goal] of goals.entries()) {
    const bit = bits[i] ?? 0
    const onPages = goal.kind === 'page' ? marks(pages, matcherOf(goal.path ?? '')) : null
    const event = goal.kind === 'event' ? idOf(events, goal.event ?? '') : 0
    if (!onPages && event === 0) continue
    if (goal.property !== null) {
      const key = idOf(await texts.of('prop_key'), goal.property)
      if (key === 0) continue
      const { value } = goal
      const values = value === null ? null : marks(await texts.ofProperty(key), matcherOf(value, is))
      withProperty.push({ bit, pages: onPages, event, key, values })
    } else if (onPages) {
      for (let page = 0; page < onPages.length; page++) if (onPages[page] === 1) ofPage[page]! |= bit
    } else ofEvent[event]! |= bit
  }
  return { ofPage, ofEvent, withProperty, buffer: reusedBuffer(Uint32Array) }
}

/** Bits of any number of goals: goal i has the bit i % 32 of the set i / 32. */
export async function setsOfGoals(goals: readonly Goal[], texts: Texts): Promise<GoalBits[]> {
  const sets: GoalBits[] = []
  for (let first = 0; first < goals.length; first += GOALS_AT_ONCE) {
    const some = goals.slice(first, first + GOALS_AT_ONCE)
    sets.push(
      await goalBits(
        some,
        some.map((_, bit) => 2 ** bit),
        texts,
      ),
    )
  }
  return sets
}

const is = (wanted: string) => (text: string) => text === wanted
const matcherOf = (wanted: string, matcher = pathMatcher) => orComposed(matcher(composed(wanted)), [wanted])

/** Returns the bits of every hit of a day, which are valid until the bits of another day are requested. */
export function bitsOfHits({ buffer, bySite, ...all }: GoalBits, day: DayColumns): Uint32Array {
  const { hits, props } = day
  const bits = buffer(hits.count)
  if (bySite === undefined) write(bits, all, day, { hits: [0, hits.count], props: [0, props.count] })
  else {
    for (const run of day.runs ?? []) {
      const own = bySite.get(run.place)
      if (own) write(bits, own, day, run)
      else bits.fill(0, ...run.hits)
    }
  }
  return bits
}

/** Writes the bits of some hits of a day. */
function write(
  bits: Uint32Array,
  { ofPage, ofEvent, withProperty }: Pick<GoalBits, 'ofPage' | 'ofEvent' | 'withProperty'>,
  day: DayColumns,
  { hits: [from, to], props: [firstProp, endOfProps] }: Pick<SiteRun, 'hits' | 'props'>,
): void {
  const { event, page } = day.hits
  // Without branches: event 0, a pageview, completes no goal of an event.
  for (let h = from; h < to; h++) bits[h] = (ofPage[page[h]!]! & -isPageview(event[h]!)) | ofEvent[event[h]!]!
  for (const { bit, pages, event: wanted, key, values } of withProperty) {
    const { hit, key: keys, value } = day.props
    for (let p = firstProp; p < endOfProps; p++) {
      if (keys[p] !== key || (values !== null && values[value[p]!] !== 1)) continue
      const h = hit[p]!
      if (event[h] === wanted && (pages === null || pages[page[h]!] === 1)) bits[h]! |= bit
    }
  }
}

/** Columns that `bitsOfHits` reads. */
export const readsOfGoals = ({ withProperty }: GoalBits): Reads =>
  allReads([
    columnsRead('hits.event', 'hits.page'),
    withProperty.length > 0 ? columnsRead('props.hit', 'props.key', 'props.value') : NO_COLUMNS,
  ])

/** 1 at the id of every text that passes. */
export function marks(texts: Dictionary, passes: (text: string) => boolean): Uint8Array {
  return Uint8Array.from(texts, text => (passes(text) ? 1 : 0))
}

/** The id of the text or, if there is none, of its composed form; 0 if there is neither. */
export function idOf(texts: Dictionary, text: string): number {
  const id = text === '' ? 0 : texts.indexOf(text)
  return id < 0 && composed(text) !== text ? idOf(texts, composed(text)) : Math.max(0, id)
}
