/**
 * Counts what visits brought that viewed a page: their revenue, wherever they earned it, and the goals that they completed. (Every
 * `!` is inside bounds.)
 */
import { type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import { allReads, columnsRead } from '../days/reads.ts'
import type { DayColumns } from '../days/day.ts'
import type { Tally } from '../days/tally.ts'
import type { CountedSums } from '../vocabulary/sums.ts'
import { type Grouping, type GroupingOptions, ofGoals } from './breakdown.ts'
import { readsOfConditions } from './condition.ts'
import { bitsOfHits, type GoalBits, readsOfGoals, setsOfGoals } from './goals.ts'
import { readsOfHits } from './narrowing.ts'
import { keptBy, timesIn } from './scan.ts'

/** Groups by page. Of the tally, `revenue` and `events` count: the revenue, and how often goals were completed. */
export async function byViewedPage({ narrowing, goals, texts }: GroupingOptions): Promise<Grouping> {
  const pages = await texts.of('page')
  const { pages: kept, hits } = narrowing ?? { pages: null, hits: [] }
  const completing = await completionsOf(goals, narrowing, texts)
  const whole = allReads([columnsRead('visits.firstHit', 'hits.page', 'hits.event', 'hits.revenue'), readsOfHits(hits), completing.reads])
  return {
    count: pages.length,
    basis: 'all',
    name: page => pages[page] ?? '',
    stored: null,
    reads: { whole, part: allReads([whole, columnsRead('hits.at')]) },
    scan(tally, { day, mask, window, workspace }) {
      const { count, firstHit } = day.visits
      const { event, page, revenue } = day.hits
      const { at, from, to } = timesIn(window, day)
      const met = workspace.narrowings.met(day, hits)
      const completed = completing.of(day, workspace.narrowings.met(day, completing.hits))
      const some = keptBy(mask, workspace)
      for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
        const v = some === null ? i : some[i]!
        const [first, end] = [firstHit[v]!, firstHit[v + 1]!]
        let [amount, completions] = [0, 0]
        for (let h = first; h < end; h++) {
          if (at[h]! < from || at[h]! >= to) continue
          if (met === null || met[h] === 1) amount += revenue[h]!
          completions += completed[h]!
        }
        if (amount === 0 && completions === 0) continue
        for (let h = first; h < end; h++) {
          if (event[h] !== 0 || at[h]! < from || at[h]! >= to || (kept !== null && kept[page[h]!] !== 1)) continue
          tally.brought(page[h]!, v, amount, completions)
        }
      }
    },
  }
}

/** The figures of a page in a tally of `byViewedPage`. */
export const broughtOf = (tally: Tally, page: number): Pick<CountedSums, 'visitRevenue' | 'completions'> => ({
  visitRevenue: tally.figure(page, 'revenue'),
  completions: tally.figure(page, 'events'),
})

/** How often each hit of a day completes one of the goals, if it counts under the conditions. */
export async function completionsOf(
  goals: GroupingOptions['goals'],
  narrowing: GroupingOptions['narrowing'],
  texts: GroupingOptions['texts'],
) {
  const hits = ofGoals(narrowing)
  const sets = await setsOfGoals(goals, texts)
  const buffer = reusedBuffer(Uint32Array)
  return {
    hits,
    reads: allReads([...sets.map(readsOfGoals), readsOfConditions(hits)]),
    /** Valid until another day is requested. @param met 1 for the hits that count; null for all */
    of: (day: DayColumns, met: Uint8Array | null) => completionsIn(day, { sets, met, buffer }),
  }
}

interface Completing {
  readonly sets: readonly GoalBits[]
  readonly met: Uint8Array | null
  readonly buffer: ReusedBuffer<Uint32Array>
}

function completionsIn(day: DayColumns, { sets, met, buffer }: Completing): Uint32Array {
  const completed = buffer(day.hits.count).fill(0)
  for (const set of sets) {
    const bits = bitsOfHits(set, day)
    for (let h = 0; h < bits.length; h++) {
      if (met !== null && met[h] === 0) continue
      for (let rest = bits[h]!; rest !== 0; rest = (rest & (rest - 1)) >>> 0) completed[h]!++
    }
  }
  return completed
}
