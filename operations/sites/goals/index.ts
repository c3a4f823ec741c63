/** What other areas may use of this one. */
export { type Condition, resolveCondition } from './condition.ts'
export { goal_deleting } from './hooks.ts'
