/**
 * How far visits get through ordered steps, and how long they take from step to step. A hit completes at most one step, so two
 * equal steps need two hits. With a window of days, persons go through the steps over all of their visits. (Every `!` reads inside
 * a column's bounds.)
 */
import type { Day } from '../days/day.ts'
import { allReads, columnsRead, NO_COLUMNS, type Reads } from '../days/reads.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { countTogether, type DayCounter, readsOver } from '../scan/day-counter.ts'
import type { Elsewhere, RemoteScan } from '../days/remote-scan.ts'
import { stagesScan } from '../scan/remote.ts'
import { bitsOfHits, goalBits, readsOfGoals } from '../scan/goals.ts'
import { Chains, type ChainRules } from '../scan/chains.ts'
import { NumberSet } from '../columns/number-set.ts'
import type { Mask } from '../scan/mask.ts'
import { StageCounts, type StepTimes } from '../scan/stage-counts.ts'
import { dimensionOf } from '../vocabulary/dimensions.ts'
import type { Goal, Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import { resolveAll, textsFor } from '../scan/resolve.ts'
import { windowOn } from '../days/spans.ts'

export interface FunnelQuestion extends ChainRules {
  readonly report: 'funnel'
  /** At most 31. */
  readonly steps: readonly Goal[]
  readonly span: Span
  readonly compared: Span | null
  /** Counts identified persons, who may take the steps in several visits, instead of visits. */
  readonly ofPeople?: boolean | undefined
  /** Whether to count the times between steps. */
  readonly isTimed?: boolean | undefined
  /** Divides by a dimension of visits, of a person by the value of the visit with the first step; the values with most visitors. */
  readonly by?: { readonly dimension: string; readonly limit: number } | undefined
}

/** Visits that got this far, and visitors with such a visit. Of people, both are persons. */
export interface Reached {
  visits: number
  visitors: number
}
export interface Funnel {
  readonly report: 'funnel'
  readonly now: Stages
  readonly compared: Stages | null
  /** By value, most visitors of the first step first. */
  readonly groups: readonly FunnelGroup[]
}
export interface FunnelGroup {
  readonly value: string
  readonly now: Stages
  readonly compared: Stages | null
}
export interface Stages {
  /** All visits and visitors, including those without any step. */
  readonly all: Reached
  /** For each step, in order. */
  readonly steps: readonly Reached[]
  /** For each step, from the one before; null for the first, and without times. */
  readonly times: readonly (StepTimes | null)[]
}

export const funnelReport: Report<FunnelQuestion, Funnel> = async ({ where }, asked, context) => {
  const { steps, span, compared, ofPeople = false, isTimed = false, by } = asked
  const conditions = await resolveAll(where, context)
  const bits = await goalBits(
    steps,
    steps.map((_, step) => 2 ** step),
    context.texts,
  )
  const dimension = by && dimensionOf(by.dimension)
  const column = dimension?.column ?? null
  if (by && (!dimension || column === null || dimension.derived)) throw new Error(`a funnel is not divided by ${by.dimension}`)
  const names = dimension ? await textsFor(dimension, 0, context.texts) : []
  const isPlain = !ofPeople && !isTimed && !by && asked.order !== 'strict' && asked.within === undefined
  const setup: Setup = {
    count: steps.length,
    rules: { order: asked.order, within: asked.within },
    ofPeople,
    isTimed,
    reads: allReads([
      readsOfConditions(conditions),
      readsOfGoals(bits),
      stagesRead,
      ofPeople ? columnsRead('visits.person') : NO_COLUMNS,
      column ? columnsRead(`visits.${column}`) : NO_COLUMNS,
    ]),
    remote: reads => (isPlain ? stagesScan(conditions, bits, steps.length, reads) : null),
    maskOf: day => context.workspace.masks.of(day, conditions),
    bitsOf: day => bitsOfHits(bits, day),
    groupsOf: column && (day => day.visits[column]),
  }
  const now = stagesOver(span, setup)
  const then = compared && stagesOver(compared, setup)
  return {
    spans: compared ? [span, compared] : [span],
    ...countTogether(then ? [now, then] : [now]),
    answer() {
      const [found, before] = [now.found(), then && then.found()]
      const top = by ? found.largest(by.limit, group => names[group] ?? '') : []
      return {
        report: 'funnel',
        now: found.stages(),
        compared: before && before.stages(),
        groups: top.map(group => ({ value: names[group] ?? '', now: found.stages(group), compared: before && before.stages(group) })),
      }
    },
  }
}

const stagesRead = columnsRead('visits.visitor', 'visits.firstHit', 'hits.at')

interface Setup {
  /** Number of steps. */
  readonly count: number
  readonly rules: ChainRules
  readonly ofPeople: boolean
  readonly isTimed: boolean
  readonly reads: Reads
  /** The same as SQL of a cluster; null if it has no such form. */
  remote(reads: Reads): RemoteScan | null
  maskOf(day: Day): Mask
  bitsOf(day: Day): Uint32Array
  /** The group of each visit; null if there are no groups. */
  readonly groupsOf: ((day: Day) => ArrayLike<number>) | null
}

function stagesOver(span: Span, setup: Setup): DayCounter & { found(): StageCounts } {
  const { count, rules, ofPeople, isTimed, reads, remote, maskOf, bitsOf, groupsOf } = setup
  const counts = new StageCounts(count, { isTimed, hasGroups: groupsOf !== null })
  const readsHere = readsOver(span, { whole: reads, part: reads })
  /** Days that were counted elsewhere. */
  const done = new Set<number>()
  const elsewhere: Elsewhere = {
    scans() {
      const scan = remote(reads)
      return scan && [scan]
    },
    wants: day => windowOn(span, day) === null,
    add(days, [found]) {
      for (const day of days.keys()) done.add(day)
      for (let row = 0; found && row < found.rows; row++) {
        for (let s = 0; s <= count; s++) counts.add(s, found.sum(`visits_${s}`)?.[row] ?? 0, found.sum(`visitors_${s}`)?.[row] ?? 0)
      }
    },
  }
  const chains = new Chains(count, rules)
  const persons = ofPeople ? new Persons() : null

  function add(day: Day): void {
    if (done.has(day.day)) return
    const window = windowOn(span, day)
    if (window === undefined) return
    const mask = maskOf(day)
    const bits = bitsOf(day)
    const groups = groupsOf ? groupsOf(day) : null
    const { firstHit, visitor } = day.visits
    const { at } = day.hits
    if (persons === null) {
      for (let v = 0; v < day.visits.count; v++) {
        if (mask !== null && mask[v] === 0) continue
        chains.clear(0)
        let isSeen = false
        for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
          if (window !== null && (at[h]! < window.from || at[h]! >= window.to)) continue
          isSeen = true
          chains.see(0, bits[h]!, at[h]!)
        }
        if (isSeen) counts.visit(day.day, visitor[v]!, { chains, one: 0, group: groups ? groups[v]! : 0 })
      }
      return
    }
    // Visits of a day are in the order of visitors. A person may be several of them. Only this report reads persons.
    const { person } = day.visits
    const hits: number[] = []
    const visitOf: number[] = []
    for (let v = 0; v < day.visits.count; v++) {
      if (person[v] === 0 || (mask !== null && mask[v] === 0)) continue
      for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
        if (window !== null && (at[h]! < window.from || at[h]! >= window.to)) continue
        persons.all.add(person[v]!)
        hits.push(h)
        visitOf[h] = v
      }
    }
    hits.sort((a, b) => at[a]! - at[b]!)
    for (const h of hits) {
      const v = visitOf[h]!
      // A person is followed from the first step on.
      const one = persons.placeOf(person[v]!, (bits[h]! & 1) !== 0 ? (groups ? groups[v]! : 0) : null)
      if (one < 0) continue
      chains.grow(one + 1)
      chains.see(one, bits[h]!, day.startsAt + at[h]!)
    }
  }

  return {
    reads: day => (done.has(day.day) ? null : readsHere(day)),
    scans: true,
    elsewhere: [elsewhere],
    add,
    found() {
      persons?.count(counts, chains)
      return counts
    },
  }
}

/** Persons who have completed the first step, with the group of that visit. */
class Persons {
  readonly all = new NumberSet()
  readonly #places = new Map<number, number>()
  readonly #groups: number[] = []

  /** @param group of a person who is new; null if they do not begin */
  placeOf(person: number, group: number | null): number {
    const known = this.#places.get(person)
    if (known !== undefined || group === null) return known ?? -1
    const place = this.#groups.push(group) - 1
    this.#places.set(person, place)
    return place
  }

  count(counts: StageCounts, chains: Chains): void {
    counts.add(0, this.all.size - this.#places.size, this.all.size - this.#places.size)
    for (const [who, one] of this.#places) counts.visit(0, who, { chains, one, group: this.#groups[one]! })
  }
}
