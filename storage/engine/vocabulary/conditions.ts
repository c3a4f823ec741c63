/** Conditions on a report's own dimension. */
import { sense } from './operators.ts'
import { type Condition, isAny, type Test } from './scope.ts'

/** The positive tests of a dimension that every visit has to pass. */
export const positives = (conditions: readonly Condition[], dimension: string): Test[] =>
  conditions.filter((c): c is Test => !isAny(c) && c.dimension === dimension && !sense(c.operator).negated)

/** Whether the rows of a breakdown have a conversion rate: goals, and every dimension under a filter on goals. */
export const isConverting = (dimension: string, conditions: readonly Condition[]): boolean =>
  dimension === 'goal' || positives(conditions, 'goal').length > 0
