/** The part of this area that others may use. */
export { type Condition, resolveCondition } from './condition.ts'
export { goal_deleting } from './hooks.ts'
