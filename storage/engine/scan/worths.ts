/** The worth of completions of goals, if it is not the revenue of their hits. (Every `!` is inside bounds.) */
import { MAX_REVENUE } from '../../hits/value-limits.ts'
import { minorUnits } from '../../values/minor-units.ts'
import { type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import type { DayColumns } from '../days/day.ts'
import { allReads, columnsRead, NO_COLUMNS, type Reads } from '../days/reads.ts'
import type { Texts } from '../days/texts.ts'
import { numberOf } from '../vocabulary/operators.ts'
import type { Goal } from '../vocabulary/scope.ts'
import { idOf } from './goals.ts'

/** The amount of a completion by the place of its goal; undefined if it is worth the revenue of its hit. */
export type WorthOf = (goal: number, hit: number) => number | undefined

export interface Worths {
  readonly reads: Reads
  /** Valid until another day is requested. Null if no goal has a worth of its own. */
  on(day: DayColumns): WorthOf | null
}

interface OfProperty {
  readonly key: number
  /** Minor units by the id of the value. */
  readonly amounts: Float64Array
  readonly buffer: ReusedBuffer<Float64Array>
}

export async function worthsOf(goals: readonly Pick<Goal, 'worth' | 'ofSites'>[], texts: Texts): Promise<Worths> {
  if (!goals.some(({ ofSites }) => ofSites)) return sameWorths(goals, texts)
  const bySite: Worths[] = []
  for (const site of await texts.sites()) {
    const own = goals.map(goal => (goal.ofSites ? (goal.ofSites.find(each => each.site === site)?.goal ?? {}) : goal))
    bySite.push(await sameWorths(own, texts))
  }
  return {
    reads: allReads(bySite.map(({ reads }) => reads)),
    on(day) {
      const runs = (day.runs ?? []).map(({ place, hits: [, end] }) => ({ end, worth: bySite[place]?.on(day) ?? null }))
      if (runs.every(({ worth }) => worth === null)) return null
      let run = 0
      return (goal, hit) => {
        // Hits come in order, but from the first one again for every list of goals.
        if (run > 0 && hit < runs[run - 1]!.end) run = 0
        while (run < runs.length - 1 && hit >= runs[run]!.end) run++
        return runs[run]?.worth?.(goal, hit)
      }
    },
  }
}

/** The worths of goals that are worth the same on every site. */
async function sameWorths(goals: readonly Pick<Goal, 'worth'>[], texts: Texts): Promise<Worths> {
  const each: (number | OfProperty | undefined)[] = []
  for (const { worth } of goals) {
    if (!worth || 'amount' in worth) each.push(worth?.amount)
    else {
      const key = idOf(await texts.of('prop_key'), worth.property)
      const amounts = key === 0 ? [] : (await texts.ofProperty(key)).map(text => amountOf(text, worth.digits))
      each.push({ key, amounts: Float64Array.from(amounts), buffer: reusedBuffer(Float64Array) })
    }
  }
  const isWorth = each.some(one => one !== undefined)
  const isOfProperties = each.some(one => typeof one === 'object')
  return {
    reads: isOfProperties ? columnsRead('props.hit', 'props.key', 'props.value') : NO_COLUMNS,
    on(day) {
      if (!isWorth) return null
      const ofHits = each.map(one => (typeof one === 'object' ? amountsOn(one, day) : one))
      return (goal, hit) => {
        const amounts = ofHits[goal]
        return typeof amounts === 'object' ? amounts[hit]! : amounts
      }
    },
  }
}

/** The amount of each hit; 0 for hits without the property, or with a value that is not an amount. */
function amountsOn({ key: wanted, amounts, buffer }: OfProperty, { hits, props: { count, hit, key, value } }: DayColumns): Float64Array {
  const ofHits = buffer(hits.count).fill(0)
  for (let p = 0; p < count; p++) if (key[p] === wanted) ofHits[hit[p]!] = amounts[value[p]!]!
  return ofHits
}

/** An amount that no hit may have is none. */
function amountOf(text: string, digits: number): number {
  const amount = minorUnits(numberOf(text), digits)
  return Math.abs(amount) <= MAX_REVENUE ? amount : 0
}
