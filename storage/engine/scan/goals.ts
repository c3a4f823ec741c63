/** Goals as bits: which of up to 32 goals each hit of a day completes. (Every `!` reads inside a column's bounds.) */
import type { DayColumns, SiteRun } from '../days/day.ts'
import type { Dictionary } from '../days/dictionary.ts'
import { allReads, columnsRead, NO_COLUMNS, type Reads } from '../days/reads.ts'
import { composed, orComposed } from '../../values/composed.ts'
import { predicate } from '../vocabulary/operators.ts'
import { pathMatcher } from '../vocabulary/path-pattern.ts'
import type { Goal } from '../vocabulary/scope.ts'
import { type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import type { Texts } from '../days/texts.ts'
import { isPageview } from './seen-pages.ts'

export const GOALS_AT_ONCE = 32

/** Bits by id of page and event. Goals that require more of a hit are checked one by one. */
export interface GoalBits {
  readonly ofPage: Uint32Array
  readonly ofEvent: Uint32Array
  readonly ofHits: readonly HitGoal[]
  readonly ofVisits: readonly VisitGoal[]
  /** For the bits of one day's hits. */
  readonly buffer: ReusedBuffer<Uint32Array>
  /** Of a group, by the place of the site: on each, other hits complete the goals. A site without a row has none of them. */
  readonly bySite?: ReadonlyMap<number, GoalBits> | undefined
}
/** A goal that requires properties or engagement of a hit. */
interface HitGoal {
  readonly bit: number
  /** Null for any. */
  readonly pages: Uint8Array | null
  /** 0 for a pageview. */
  readonly event: number
  readonly properties: readonly HitProperty[]
  readonly least: { readonly of: 'scroll' | 'engaged'; readonly number: number } | null
}
interface HitProperty {
  readonly key: number
  /** 1 for the matching values; null for any. */
  readonly values: Uint8Array | null
}
/** A goal that visits complete by their duration, ms. */
interface VisitGoal {
  readonly bit: number
  readonly lasting: number
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
    ofHits: each.flatMap(({ ofHits }) => ofHits),
    ofVisits: each.flatMap(({ ofVisits }) => ofVisits),
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
  const ofHits: HitGoal[] = []
  const ofVisits: VisitGoal[] = []
  for (const [i, goal] of goals.entries()) {
    const bit = bits[i] ?? 0
    const onPages = pagesOf(goal, pages)
    const event = goal.kind === 'event' ? idOf(events, goal.event ?? '') : 0
    const least = leastOf(goal)
    if (goal.kind === 'duration' && !onPages) ofVisits.push({ bit, lasting: goal.lasting ?? 0 })
    else if (goal.kind === 'event' ? event === 0 : goal.kind === 'page' && !onPages) continue
    else {
      const properties = await propertiesOf(goal, texts)
      if (properties.length > 0 || least) {
        if (properties.every(({ key }) => key !== 0)) ofHits.push({ bit, pages: onPages, event, properties, least })
      } else if (onPages) {
        for (let page = 0; page < onPages.length; page++) if (onPages[page] === 1) ofPage[page]! |= bit
      } else ofEvent[event]! |= bit
    }
  }
  return { ofPage, ofEvent, ofHits, ofVisits, buffer: reusedBuffer(Uint32Array) }
}

/** 1 at the pages of a goal; null for a goal without a page. */
function pagesOf({ kind, path, regex = null }: Goal, pages: Dictionary): Uint8Array | null {
  if (kind === 'event' || (path === null && regex === null)) return null
  return marks(pages, regex === null ? matcherOf(path ?? '') : orComposed(predicate('regex', [regex]), [regex]))
}

function leastOf({ kind, depth, lasting }: Goal): HitGoal['least'] {
  if (kind === 'scroll') return { of: 'scroll', number: depth ?? 0 }
  return kind === 'duration' ? { of: 'engaged', number: lasting ?? 0 } : null
}

async function propertiesOf({ property, value, properties = [] }: Goal, texts: Texts): Promise<HitProperty[]> {
  const found: HitProperty[] = []
  for (const one of [...(property === null ? [] : [{ property, value }]), ...properties]) {
    const key = idOf(await texts.of('prop_key'), one.property)
    found.push({ key, values: one.value === null || key === 0 ? null : marks(await texts.ofProperty(key), matcherOf(one.value, is)) })
  }
  return found
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
  const { visits, hits, props } = day
  const bits = buffer(hits.count)
  if (bySite === undefined) write(bits, all, day, { visits: [0, visits.count], hits: [0, hits.count], props: [0, props.count] })
  else {
    for (const run of day.runs ?? []) {
      const own = bySite.get(run.place)
      if (own) write(bits, own, day, run)
      else bits.fill(0, ...run.hits)
    }
  }
  return bits
}

/** The rows of a day to look at. */
type Rows = Omit<SiteRun, 'place'>

/** Writes the bits of some hits of a day. */
function write(
  bits: Uint32Array,
  { ofPage, ofEvent, ofHits, ofVisits }: Omit<GoalBits, 'buffer' | 'bySite'>,
  day: DayColumns,
  rows: Rows,
): void {
  const { event, page } = day.hits
  const [from, to] = rows.hits
  // Without branches: event 0, a pageview, completes no goal of an event.
  for (let h = from; h < to; h++) bits[h] = (ofPage[page[h]!]! & -isPageview(event[h]!)) | ofEvent[event[h]!]!
  for (const goal of ofHits) markHits(bits, goal, day, rows)
  for (const goal of ofVisits) markVisits(bits, goal, day, rows)
}

function markHits(bits: Uint32Array, { bit, pages, event: wanted, properties, least }: HitGoal, day: DayColumns, rows: Rows): void {
  const { count, event, page } = day.hits
  const figures = least && day.hits[least.of]
  const number = least?.number ?? 0
  const passes = (h: number) =>
    event[h] === wanted && (pages === null || pages[page[h]!] === 1) && (figures === null || figures[h]! >= number)
  const [first, ...others] = properties
  if (!first) {
    for (let h = rows.hits[0], to = rows.hits[1]; h < to; h++) if (passes(h)) bits[h]! |= bit
    return
  }
  // A hit has one value of a property. Hits that have the others are found first.
  const met = others.length > 0 ? new Uint8Array(count) : null
  for (const [i, one] of others.entries()) eachHitWith(one, day, rows, h => met && met[h] === i && met[h]!++)
  eachHitWith(first, day, rows, h => {
    if (passes(h) && (met === null || met[h] === others.length)) bits[h]! |= bit
  })
}

function eachHitWith(
  { key: wanted, values }: HitProperty,
  { props }: DayColumns,
  { props: [from, to] }: Rows,
  see: (hit: number) => void,
): void {
  const { hit, key, value } = props
  for (let p = from; p < to; p++) if (key[p] === wanted && (values === null || values[value[p]!] === 1)) see(hit[p]!)
}

/** A visit completes the goal once: at its first hit after this duration or, if there is none, at its last hit. */
function markVisits(
  bits: Uint32Array,
  { bit, lasting }: VisitGoal,
  { visits, hits: { at } }: DayColumns,
  { visits: [from, to] }: Rows,
): void {
  const { firstHit, bounce, duration } = visits
  for (let v = from; v < to; v++) {
    if (bounce[v] === 1 || duration[v]! < lasting) continue
    const last = firstHit[v + 1]! - 1
    let h = firstHit[v]!
    for (const since = at[h]! + lasting; h < last && at[h]! < since; ) h++
    bits[h]! |= bit
  }
}

/** Columns that `bitsOfHits` reads. */
export const readsOfGoals = ({ ofHits, ofVisits }: GoalBits): Reads =>
  allReads([
    columnsRead('hits.event', 'hits.page'),
    ofHits.some(({ properties }) => properties.length > 0) ? columnsRead('props.hit', 'props.key', 'props.value') : NO_COLUMNS,
    ...ofHits.map(({ least }) => (least ? columnsRead(`hits.${least.of}`) : NO_COLUMNS)),
    ofVisits.length > 0 ? columnsRead('visits.firstHit', 'visits.bounce', 'visits.duration', 'hits.at') : NO_COLUMNS,
  ])

/** The id of the only event that completes these goals; null if they need more, or less, of a hit. */
export function onlyEvent({ ofPage, ofEvent, ofHits, ofVisits, bySite }: GoalBits): number | null {
  const event = ofEvent.findIndex(bits => bits !== 0)
  const isOnly = event > 0 && ofEvent.findLastIndex(bits => bits !== 0) === event
  return isOnly && bySite === undefined && ofHits.length + ofVisits.length === 0 && ofPage.every(bits => bits === 0) ? event : null
}

/** Whether a bit needs more than the page and the event of a hit. */
export const needsMore = ({ ofHits, ofVisits }: GoalBits, bit: number): boolean =>
  ofHits.some(one => (one.bit & bit) !== 0) || ofVisits.some(one => (one.bit & bit) !== 0)

/** The bits of two together. */
export function eitherBits(one: GoalBits, other: GoalBits): GoalBits {
  const places = [...(one.bySite?.keys() ?? []), ...(other.bySite?.keys() ?? [])]
  const at = (bits: GoalBits, place: number) => (bits.bySite ? (bits.bySite.get(place) ?? nothing) : bits)
  return {
    ...bothBits(one, other),
    ...(places.length > 0 && { bySite: new Map(places.map(place => [place, bothBits(at(one, place), at(other, place))])) }),
  }
}
const nothing: GoalBits = { ofPage: noBits, ofEvent: noBits, ofHits: [], ofVisits: [], buffer: reusedBuffer(Uint32Array) }

const bothBits = (one: GoalBits, other: GoalBits): GoalBits => ({
  ofPage: united(one.ofPage, other.ofPage),
  ofEvent: united(one.ofEvent, other.ofEvent),
  ofHits: [...one.ofHits, ...other.ofHits],
  ofVisits: [...one.ofVisits, ...other.ofVisits],
  buffer: reusedBuffer(Uint32Array),
})

function united(one: Uint32Array, other: Uint32Array): Uint32Array {
  const [longer, shorter] = one.length < other.length ? [other, one] : [one, other]
  return longer.map((bits, id) => bits | (shorter[id] ?? 0))
}

/** 1 at the id of every text that passes. */
export function marks(texts: Dictionary, passes: (text: string) => boolean): Uint8Array {
  return Uint8Array.from(texts, text => (passes(text) ? 1 : 0))
}

/** The id of the text or, if there is none, of its composed form; 0 if there is neither. */
export function idOf(texts: Dictionary, text: string): number {
  const id = text === '' ? 0 : texts.indexOf(text)
  return id < 0 && composed(text) !== text ? idOf(texts, composed(text)) : Math.max(0, id)
}
