/**
 * Decides which queries stored sums can answer: those without conditions, or with conditions on their own dimension only, unless that
 * is the page; and totals of the visits with one value of a dimension, which are the sums of that value.
 */
import type { ResolvedCondition } from './condition.ts'
import type { DaySums, SumsName } from '../days/day.ts'
import { sumsBy } from '../days/sums.ts'
import type { BounceBasis, Tally } from '../days/tally.ts'

/** Sums of a day, except for groups without a 1 in `kept`. */
export interface Stored {
  readonly name: SumsName | 'totals' | 'site'
  readonly kept: Uint8Array | null
  /** The only group that counts, as the total. */
  readonly total?: number
}

/**
 * The stored sums that answer under these conditions; null if none do. A condition on the dimension itself keeps or
 * removes whole groups: every visit of a source passes a filter for that source. Not so of pages: the sums of a page have money of visits
 * that did not view it, and so do not pass the filter.
 */
export function storedUnder(
  conditions: readonly ResolvedCondition[],
  { stored, basis }: { readonly stored: Stored | null; readonly basis: BounceBasis },
): Stored | null {
  if (!stored || basis !== (stored.name === 'page' ? 'entered here' : 'all')) return null
  if (stored.name === 'totals' && conditions.length > 0) return oneValue(conditions)
  if (stored.name === 'event' && conditions.length > 1) return null // each is met by a hit of its own
  let { kept } = stored
  for (const condition of conditions) {
    const own =
      condition.on === 'visit'
        ? condition.column === stored.name
        : condition.on === 'event' && stored.name === 'event' && !condition.negated
    if (!own || !('set' in condition)) return null
    const { set } = condition
    const before = kept
    kept = before === null ? set : set.map((passes, id) => passes & (before[id] ?? 0))
  }
  return { name: stored.name, kept }
}

/** Null unless one value passes: a visitor may have several. */
function oneValue(conditions: readonly ResolvedCondition[]): Stored | null {
  const [condition, ...others] = conditions
  if (condition?.on !== 'visit' || others.length > 0) return null
  const { column: name, set } = condition
  const total = set.indexOf(1)
  return total !== -1 && set.indexOf(1, total + 1) === -1 ? { name, kept: null, total } : null
}

/** @param group the one of the total */
export function addStoredSums(tally: Tally, sums: DaySums, { name, kept, total }: Stored, group = 0): void {
  if (name === 'totals') tally.addSums(group, sums.totals)
  else if (total !== undefined) tally.addGroup(group, sumsBy(sums, name), total)
  else tally.addGroups(sumsBy(sums, name), kept)
}
