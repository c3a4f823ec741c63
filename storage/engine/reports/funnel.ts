/**
 * How far visits get through ordered steps, with or without other hits in between. A hit completes at most one step, so
 * two equal steps need two hits. (Every `!` reads inside a column's bounds.)
 */
import type { Day } from '../days/day.ts'
import { allReads, columnsRead, type Reads } from '../days/reads.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { countTogether, type DayCounter, readsOver } from '../scan/day-counter.ts'
import type { Elsewhere, RemoteScan } from '../days/remote-scan.ts'
import { stagesScan } from '../scan/remote.ts'
import { bitsOfHits, goalBits, readsOfGoals } from '../scan/goals.ts'
import type { Mask } from '../scan/mask.ts'
import type { Goal, Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import { resolveAll } from '../scan/resolve.ts'
import { windowOn } from '../days/spans.ts'

export interface FunnelQuestion {
  readonly report: 'funnel'
  /** At most 31. */
  readonly steps: readonly Goal[]
  readonly span: Span
  readonly compared: Span | null
}

/** Visits that got this far, and visitors with such a visit. */
export interface Reached {
  visits: number
  visitors: number
}
export interface Funnel {
  readonly report: 'funnel'
  readonly now: Stages
  readonly compared: Stages | null
}
export interface Stages {
  /** All visits and visitors, including those without any step. */
  readonly all: Reached
  /** For each step, in order. */
  readonly steps: readonly Reached[]
}

export const funnelReport: Report<FunnelQuestion, Funnel> = async ({ where }, { steps, span, compared }, context) => {
  const conditions = await resolveAll(where, context)
  const bits = await goalBits(
    steps,
    steps.map((_, step) => 2 ** step),
    context.texts,
  )
  const setup: Setup = {
    count: steps.length,
    reads: allReads([readsOfConditions(conditions), readsOfGoals(bits), stagesRead]),
    remote: reads => stagesScan(conditions, bits, steps.length, reads),
    maskOf: day => context.workspace.masks.of(day, conditions),
    bitsOf: day => bitsOfHits(bits, day),
  }
  const now = stagesOver(span, setup)
  const then = compared && stagesOver(compared, setup)
  return {
    spans: compared ? [span, compared] : [span],
    ...countTogether(then ? [now, then] : [now]),
    answer: () => ({ report: 'funnel', now: now.stages(), compared: then && then.stages() }),
  }
}

const stagesRead = columnsRead('visits.visitor', 'visits.firstHit', 'hits.at')

interface Setup {
  /** Number of steps. */
  readonly count: number
  readonly reads: Reads
  /** The same as SQL of a cluster; null if it has no such form. */
  remote(reads: Reads): RemoteScan | null
  maskOf(day: Day): Mask
  bitsOf(day: Day): Uint32Array
}

function stagesOver(span: Span, { count, reads, remote, maskOf, bitsOf }: Setup): DayCounter & { stages(): Stages } {
  // Stage 0: any visit; stage s: s steps completed.
  const visits = new Float64Array(count + 1)
  const visitors = new Float64Array(count + 1)

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
        for (let s = 0; s <= count; s++) {
          visits[s]! += found.sum(`visits_${s}`)?.[row] ?? 0
          visitors[s]! += found.sum(`visitors_${s}`)?.[row] ?? 0
        }
      }
    },
  }

  function add(day: Day): void {
    if (done.has(day.day)) return
    const window = windowOn(span, day)
    if (window === undefined) return
    const mask = maskOf(day)
    const bits = bitsOf(day)
    const { firstHit, visitor } = day.visits
    const { at } = day.hits
    let who = -1
    /** The furthest stage counted for this visitor. */
    let furthest = -1
    for (let v = 0; v < day.visits.count; v++) {
      if (mask !== null && mask[v] === 0) continue
      let stage = -1
      for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
        if (window !== null && (at[h]! < window.from || at[h]! >= window.to)) continue
        if (stage < 0) stage = 0
        if (stage < count && (bits[h]! & (1 << stage)) !== 0) stage++
      }
      if (visitor[v] !== who) {
        who = visitor[v]!
        furthest = -1
      }
      for (let s = 0; s <= stage; s++) visits[s]!++
      while (furthest < stage) visitors[++furthest]!++
    }
  }

  return {
    reads: day => (done.has(day.day) ? null : readsHere(day)),
    scans: true,
    elsewhere: [elsewhere],
    add,
    stages() {
      const [all = none, ...steps] = Array.from(visits, (some, s) => ({ visits: some, visitors: visitors[s]! }))
      return { all, steps }
    },
  }
}

const none: Reached = Object.freeze({ visits: 0, visitors: 0 })
