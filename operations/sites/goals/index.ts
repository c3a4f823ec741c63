/** Exports of this area for other areas. */
export { type Condition, draftOf, resolveCondition } from './condition.ts'
export { goalInput } from './fields.ts'
export { goal_deleting } from './hooks.ts'
