/** Counts how far visits came in a funnel: in all, and in groups. (Every `!` is inside bounds.) */
import { type Histogram, openHistogram } from '../columns/histogram.ts'
import { best } from './best.ts'
import type { Chains } from './chains.ts'
import { SECOND_MS } from '../../values/durations.ts'

/** Ms from one step to the next. */
export interface StepTimes {
  readonly median: number
  readonly p90: number
}

const FIRST_GROUPS = 16

export class StageCounts {
  readonly #steps: number
  /** Numbers of a group: visits and visitors by stage, the last visitor, and how far they came. Stage 0 is any visit. */
  readonly #width: number
  #numbers: Float64Array
  /** The place of each group, from 1: place 0 counts all. Null: there are no groups. */
  readonly #places: Map<number, number> | null
  /** For each step, in seconds: that bounds the number of distinct ones. */
  readonly #times: readonly Histogram[]
  // Visitors of a day are others than the visitors of the day before.
  #day = Number.NaN
  #base = 1
  #next = 1

  constructor(steps: number, { isTimed, hasGroups }: { readonly isTimed: boolean; readonly hasGroups: boolean }) {
    this.#steps = steps
    this.#width = 2 * (steps + 1) + 2
    this.#numbers = new Float64Array(this.#width * (hasGroups ? FIRST_GROUPS : 1))
    this.#places = hasGroups ? new Map() : null
    this.#times = isTimed ? Array.from({ length: steps }, openHistogram) : []
  }

  /** Adds what was counted elsewhere. */
  add(stage: number, visits: number, visitors: number): void {
    this.#numbers[stage]! += visits
    this.#numbers[this.#steps + 1 + stage]! += visitors
  }

  /** Visits of a day come in the order of their visitors. @param one of the chains */
  visit(day: number, who: number, { chains, one, group }: { readonly chains: Chains; readonly one: number; readonly group: number }): void {
    if (day !== this.#day) {
      this.#day = day
      this.#base = this.#next
    }
    this.#next = Math.max(this.#next, this.#base + who + 1)
    const stage = chains.stageOf(one)
    this.#count(0, this.#base + who, stage)
    for (let s = 1; s < stage; s++) this.#times[s]?.add(Math.round(chains.tookOf(one, s) / SECOND_MS))
    if (this.#places !== null) this.#count(this.#placeOf(group, this.#places), this.#base + who, stage)
  }

  #placeOf(group: number, places: Map<number, number>): number {
    const known = places.get(group)
    if (known !== undefined) return known
    const place = places.size + 1
    places.set(group, place)
    if ((place + 1) * this.#width > this.#numbers.length) {
      const longer = new Float64Array(this.#numbers.length * 2)
      longer.set(this.#numbers)
      this.#numbers = longer
    }
    return place
  }

  #count(place: number, who: number, stage: number): void {
    const numbers = this.#numbers
    const visits = place * this.#width
    const visitors = visits + this.#steps + 1
    const last = visitors + this.#steps + 1
    if (numbers[last] !== who) {
      numbers[last] = who
      numbers[last + 1] = -1
    }
    for (let s = 0; s <= stage; s++) numbers[visits + s]!++
    while (numbers[last + 1]! < stage) numbers[visitors + ++numbers[last + 1]!]!++
  }

  /** The groups with most visitors of the first step. */
  largest(limit: number, nameOf: (group: number) => string): number[] {
    const size = (group: number, stage: number) => this.#numbers[(this.#places?.get(group) ?? 0) * this.#width + this.#steps + 1 + stage]!
    const order = (a: number, b: number) => size(b, 1) - size(a, 1) || size(b, 0) - size(a, 0) || (nameOf(a) < nameOf(b) ? -1 : 1)
    return best([...(this.#places?.keys() ?? [])], order, limit)
  }

  /** @param group all of them without one; times are counted only of all */
  stages(group?: number) {
    const place = group === undefined ? 0 : this.#places?.get(group)
    const at = (stage: number) => {
      const visits = (place ?? 0) * this.#width + stage
      if (place === undefined) return { visits: 0, visitors: 0 }
      return { visits: this.#numbers[visits]!, visitors: this.#numbers[visits + this.#steps + 1]! }
    }
    const steps = Array.from({ length: this.#steps }, (_, s) => at(s + 1))
    return { all: at(0), steps, times: steps.map((_, s) => (group === undefined ? timesOf(this.#times[s]) : null)) }
  }
}

/** Interpolated, as in other reports (R's type 7). */
function timesOf(times: Histogram | undefined): StepTimes | null {
  if (!times || times.count === 0) return null
  const at = (share: number) => {
    const place = (times.count - 1) * share
    const [below, above] = [times.at(Math.floor(place) + 1), times.at(Math.ceil(place) + 1)]
    return Math.round((below + (above - below) * (place - Math.floor(place))) * SECOND_MS)
  }
  return { median: at(0.5), p90: at(0.9) }
}
