/** Conditions with their texts turned into ids, and which visits of a day they keep. (Every `!` is inside bounds.) */
import type { VisitDimension } from '../../../storage/tables.ts'
import type { Day } from './day.ts'
import { bitsOfHits, type GoalBits } from './goals.ts'
import type { Mask } from './scan.ts'

/** A `set` has a 1 at every id that passes; `negated` keeps the visits that have no such hit. */
export type Resolved =
  | { readonly on: 'visit'; readonly column: VisitDimension; readonly set: Uint8Array }
  | { readonly on: 'page' | 'event'; readonly set: Uint8Array; readonly negated: boolean }
  | { readonly on: 'property'; readonly key: number; readonly set: Uint8Array; readonly negated: boolean }
  | { readonly on: 'goal'; readonly bits: GoalBits; readonly negated: boolean }
  | { readonly on: 'any'; readonly any: readonly Resolved[] }

/** Null where there is no condition. */
export function maskOf(day: Day, conditions: readonly Resolved[]): Mask {
  if (conditions.length === 0) return null
  const mask = new Uint8Array(day.visits.count).fill(1)
  // What is cheap goes first, so that the hits of fewer visits are looked at.
  for (const condition of conditions) if (condition.on === 'visit') narrow(mask, day, condition)
  for (const condition of conditions) if (condition.on !== 'visit') narrow(mask, day, condition)
  return mask
}

/** Takes the visits out of the mask that the condition does not keep. */
function narrow(mask: Uint8Array, day: Day, condition: Resolved): void {
  if (condition.on === 'visit') {
    const { set } = condition
    const column = day.visits[condition.column]
    for (let v = 0; v < mask.length; v++) if (set[column[v]!] !== 1) mask[v] = 0
  } else if (condition.on === 'any') {
    const union = new Uint8Array(mask.length)
    for (const one of condition.any) {
      const kept = mask.slice()
      narrow(kept, day, one)
      for (let v = 0; v < mask.length; v++) union[v]! |= kept[v]!
    }
    mask.set(union)
  } else {
    const found = visitsWith(mask, day, condition)
    const wanted = condition.negated ? 0 : 1
    for (let v = 0; v < mask.length; v++) if (found[v] !== wanted) mask[v] = 0
  }
}

type OnHits = Exclude<Resolved, { on: 'visit' | 'any' }>

function visitsWith(mask: Uint8Array, day: Day, test: OnHits): Uint8Array {
  if (test.on === 'property') return withProperty(day, test.key, test.set)
  if (test.on === 'goal') {
    const bits = bitsOfHits(test.bits, day)
    return withHit(mask, day, h => bits[h] !== 0)
  }
  const { event } = day.hits
  const { set } = test
  const pages = test.on === 'page'
  const column = day.hits[test.on]
  return withHit(mask, day, h => (event[h] === 0) === pages && set[column[h]!] === 1)
}

/** 1 for the visits of the mask that have a hit which passes. */
function withHit(mask: Uint8Array, { visits: { firstHit } }: Day, passes: (hit: number) => boolean): Uint8Array {
  const found = new Uint8Array(mask.length)
  for (let v = 0; v < mask.length; v++) {
    if (mask[v] === 0) continue
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if (!passes(h)) continue
      found[v] = 1
      break
    }
  }
  return found
}

function withProperty({ visits, props }: Day, key: number, set: Uint8Array): Uint8Array {
  const { firstHit } = visits
  const found = new Uint8Array(visits.count)
  for (let p = 0, v = 0; p < props.count; p++) {
    if (props.key[p] !== key || set[props.value[p]!] !== 1) continue
    while (firstHit[v + 1]! <= props.hit[p]!) v++
    found[v] = 1
  }
  return found
}
