/** Counts the days of a query, and declares its reads of each in advance. */
import type { Day, DayBounds } from '../days/day.ts'
import { allReads, type Reads } from '../days/reads.ts'
import { windowOn } from '../days/spans.ts'
import type { Elsewhere } from '../days/remote-scan.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { PassReads } from './scan.ts'

/** Columns to read of a day; null to skip it. */
export type ReadsOfDay = (day: DayBounds) => Reads | null

export interface DayCounter {
  readonly reads: ReadsOfDay
  /** Whether it scans columns of days that it counts completely, instead of adding up their sums. */
  readonly scans: boolean
  /** Parts that the cluster may count before the first `reads`. */
  readonly elsewhere?: readonly Elsewhere[]
  /** Called with every day of which it reads something, in order. */
  add(day: Day): void
}

/** Depends on how much of a day a span covers. */
export function readsOver(span: Span, { whole, part }: PassReads): ReadsOfDay {
  return day => {
    const window = windowOn(span, day)
    return window === undefined ? null : window === null ? whole : part
  }
}

/** For a counter that reads nothing. */
export const readsNothing: ReadsOfDay = () => null

/** The reads of several combined. Days with the same reads share one object. */
export function readsOfAll(each: readonly ReadsOfDay[]): ReadsOfDay {
  const all = each.filter(reads => reads !== readsNothing)
  const [first = readsNothing] = all
  if (all.length < 2) return first
  const known: { readonly each: readonly (Reads | null)[]; readonly together: Reads | null }[] = []
  return day => {
    const each = all.map(reads => reads(day))
    for (const before of known) if (areSame(before.each, each)) return before.together
    const some = [...new Set(each.filter(reads => reads !== null))]
    const together = some.length === 0 ? null : allReads(some)
    known.push({ each, together })
    return together
  }
}

function areSame(a: readonly (Reads | null)[], b: readonly (Reads | null)[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

export function countTogether(counters: readonly DayCounter[]): DayCounter {
  return {
    reads: readsOfAll(counters.map(one => one.reads)),
    scans: counters.some(one => one.scans),
    elsewhere: counters.flatMap(one => one.elsewhere ?? []),
    add(day) {
      for (const one of counters) one.add(day)
    },
  }
}
