/** An experiment by brute force: who saw which variant, and who completed the goal afterwards. */
import type { NewHit } from '../../../../../storage/hits/new-hit.ts'
import { type Instants, lies, type Oracle, type OracleFilter, type OracleGoal, passes, rows, touches, type Visit } from '../oracle.ts'

export interface OracleArm {
  visitors: number
  visits: number
  converters: number
  conversions: number
  firstShownAt: number
}

export function experimentOf(
  oracle: Oracle,
  property: string,
  goal: OracleGoal,
  range: Instants,
  filters: readonly OracleFilter[],
): { arms: Map<string, OracleArm>; mixed: number } {
  const dimension = `property:${property}`
  const own = rows(filters, dimension)
  const hitsIn = (visit: Visit) => visit.hits.filter(one => lies(range, visit, one.at))
  const counts = (value: string) =>
    own.every(either => either.some(([, operator, wanted]) => passes(operator, wanted, value, dimension, oracle.goals)))
  const variants = (one: NewHit) => one.props.filter(([key, value]) => key === property && counts(value)).map(([, value]) => value)
  const byVisitor = new Map<string, Visit[]>()
  for (const visit of oracle.kept(filters.filter(filter => !touches(filter, ['goal', 'property:'])))) {
    byVisitor.set(visit.visitor, [...(byVisitor.get(visit.visitor) ?? []), visit])
  }
  const converting = oracle.kept(filters)

  const arms = new Map<string, OracleArm>()
  let mixed = 0
  for (const [visitor, visits] of byVisitor) {
    const shown = visits.flatMap(hitsIn).filter(one => variants(one).length > 0)
    const met = new Set(shown.flatMap(variants))
    if (met.size > 1) mixed++
    const [variant] = met
    if (met.size !== 1 || variant === undefined) continue
    const since = Math.min(...shown.map(one => one.at))
    const conversions = converting
      .filter(visit => visit.visitor === visitor)
      .flatMap(visit => hitsIn(visit).filter(one => one.at >= since && oracle.completes(visit, one, goal))).length
    const arm = arms.get(variant) ?? { visitors: 0, visits: 0, converters: 0, conversions: 0, firstShownAt: Infinity }
    arms.set(variant, {
      visitors: arm.visitors + 1,
      visits: arm.visits + visits.filter(visit => visit.hits.some(one => shown.includes(one))).length,
      converters: arm.converters + (conversions > 0 ? 1 : 0),
      conversions: arm.conversions + conversions,
      firstShownAt: Math.min(arm.firstShownAt, since),
    })
  }
  return { arms, mixed }
}
