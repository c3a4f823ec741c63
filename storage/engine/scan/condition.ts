/** Conditions with their texts resolved to ids. */
import type { VisitDimension } from '../../tables/index.ts'
import { allReads, columnsRead, NO_COLUMNS, type Reads } from '../days/reads.ts'
import type { FigureTest } from './figures.ts'
import { type GoalBits, readsOfGoals } from './goals.ts'
import { keyHitsRead, type Property } from './key-hits.ts'
import type { PlaceTest } from './places.ts'

/** A condition that selects visits. A `set` has a 1 at every id that passes. `negated` selects the visits without such a hit. */
export type ResolvedCondition =
  | { readonly on: 'visit'; readonly column: VisitDimension; readonly set: Uint8Array }
  /** Selects all visits of a day, or none. */
  | { readonly on: 'day'; passes(day: number): boolean }
  | { readonly on: 'figure'; readonly test: FigureTest; readonly negated: boolean }
  | { readonly on: 'page'; readonly set: Uint8Array; readonly negated: boolean }
  | { readonly on: 'event'; readonly set: Uint8Array; readonly negated: boolean }
  | { readonly on: 'property'; readonly property: Property; readonly set: Uint8Array; readonly negated: boolean }
  | { readonly on: 'place'; readonly test: PlaceTest; readonly negated: boolean }
  | { readonly on: 'goal'; readonly bits: GoalBits; readonly negated: boolean }
  /**
   * Selects the visits with a hit that passes all of the tests. If it `narrows`, only such hits count. If it has `views`, only the
   * pageviews at these places count.
   */
  | { readonly on: 'hits'; readonly all: readonly HitTest[]; readonly narrows: boolean; readonly views?: readonly OnPlace[] }
  | { readonly on: 'any'; readonly any: readonly ResolvedCondition[] }

/** A test of a single hit, by itself or by its visit. If it is `negated`, other hits pass. */
export type HitTest =
  | Exclude<ResolvedCondition, { on: 'hits' | 'any' }>
  | { readonly on: 'both'; readonly tests: readonly HitTest[] }
  | { readonly on: 'either'; readonly tests: readonly HitTest[] }

/** A condition that selects hits: by event, property, place or goal. */
export type OnHit = Extract<ResolvedCondition, { on: 'event' | 'property' | 'place' | 'goal' }>
export type OnPlace = Extract<ResolvedCondition, { on: 'place' }>

export const isOnHit = (condition: ResolvedCondition | HitTest): condition is OnHit =>
  (condition.on === 'event' || condition.on === 'property' || condition.on === 'place' || condition.on === 'goal') && !condition.negated

/** The columns that a search for the visits that pass all conditions reads. */
export const readsOfConditions = (conditions: readonly (ResolvedCondition | HitTest)[]): Reads => allReads(conditions.map(readsOf))

function readsOf(condition: ResolvedCondition | HitTest): Reads {
  switch (condition.on) {
    case 'visit':
      return columnsRead(`visits.${condition.column}`)
    case 'day':
      return NO_COLUMNS
    case 'page':
      return columnsRead('visits.firstHit', 'hits.event', 'hits.page')
    case 'event':
      return columnsRead('visits.firstHit', 'hits.event')
    case 'property':
      return keyHitsRead(condition.property)
    case 'place':
    case 'figure':
      return condition.test.reads
    case 'goal':
      return allReads([columnsRead('visits.firstHit'), readsOfGoals(condition.bits)])
    case 'hits':
      return allReads([columnsRead('visits.firstHit', 'hits.event'), readsOfConditions(condition.all)])
    case 'both':
    case 'either':
      return allReads([columnsRead('visits.firstHit'), readsOfConditions(condition.tests)])
    case 'any':
      return readsOfConditions(condition.any)
  }
}
