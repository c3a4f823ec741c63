/** Exports of this area for other areas. */
export { type Condition, resolveCondition } from './condition.ts'
export { goal_deleting } from './hooks.ts'
