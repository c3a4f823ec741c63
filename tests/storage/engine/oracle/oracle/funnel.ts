/** A funnel by brute force: tries every choice of hits in order. */
import type { NewHit } from '../../../../../storage/hits/new-hit.ts'
import { completes, type Instants, lies, type Oracle, type OracleFilter, type OracleGoal, type Visit } from '../oracle.ts'

function canTake(steps: readonly OracleGoal[], hits: readonly NewHit[]): boolean {
  const [step, ...rest] = steps
  if (!step) return true
  return hits.some((one, i) => completes(one, step) && canTake(rest, hits.slice(i + 1)))
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
    const visits = there.filter(visit => canTake(steps.slice(0, taken), within(visit)))
    return { visits: visits.length, visitors: new Set(visits.map(visit => visit.visitor)).size }
  })
}
