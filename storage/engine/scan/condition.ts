/** Conditions with their texts resolved to ids. */
import type { VisitDimension } from '../../tables/index.ts'
import { allReads, columnsRead, type Reads } from '../days/reads.ts'
import { type GoalBits, readsOfGoals } from './goals.ts'
import { keyHitsRead } from './key-hits.ts'

/** A `set` has a 1 at every id that passes; `negated` keeps visits without such a hit. */
export type Resolved =
  | { readonly on: 'visit'; readonly column: VisitDimension; readonly set: Uint8Array }
  | { readonly on: 'page' | 'event'; readonly set: Uint8Array; readonly negated: boolean }
  | { readonly on: 'property'; readonly key: number; readonly set: Uint8Array; readonly negated: boolean }
  | { readonly on: 'goal'; readonly bits: GoalBits; readonly negated: boolean }
  | { readonly on: 'any'; readonly any: readonly Resolved[] }

/** What is read to apply these conditions. */
export const readsOfConditions = (conditions: readonly Resolved[]): Reads => allReads(conditions.map(readsOf))

function readsOf(condition: Resolved): Reads {
  switch (condition.on) {
    case 'visit':
      return columnsRead(`visits.${condition.column}`)
    case 'page':
      return columnsRead('visits.firstHit', 'hits.event', 'hits.page')
    case 'event':
      return columnsRead('visits.firstHit', 'hits.event')
    case 'property':
      return keyHitsRead
    case 'goal':
      return allReads([columnsRead('visits.firstHit'), readsOfGoals(condition.bits)])
    case 'any':
      return readsOfConditions(condition.any)
  }
}
