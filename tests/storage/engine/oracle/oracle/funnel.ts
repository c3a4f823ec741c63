/** A funnel by brute force: tries every choice of hits in order. */
import { type Instants, lies, type Oracle, type OracleFilter, type OracleGoal, type Visit } from '../oracle.ts'

/** @param completed the steps that each hit completes, in order of the hits */
function canTake(steps: number, completed: readonly (readonly boolean[])[], step = 0): boolean {
  if (step === steps) return true
  return completed.some((of, i) => of[step] === true && canTake(steps, completed.slice(i + 1), step + 1))
}

/** Visits and visitors: all, then those that complete the first step, the first two … */
export function funnelOf(
  oracle: Oracle,
  steps: readonly OracleGoal[],
  part: Instants,
  filters: readonly OracleFilter[],
): { visits: number; visitors: number }[] {
  const within = (visit: Visit) => visit.hits.filter(one => lies(part, visit, one.at))
  const there = oracle.kept(filters).filter(visit => within(visit).length > 0)
  return [0, ...steps.map((_, i) => i + 1)].map(taken => {
    const completed = (visit: Visit) => within(visit).map(one => steps.map(step => oracle.completes(visit, one, step)))
    const visits = there.filter(visit => canTake(taken, completed(visit)))
    return { visits: visits.length, visitors: new Set(visits.map(visit => visit.visitor)).size }
  })
}
