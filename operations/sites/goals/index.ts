/** Exports of this area for other areas. */
export { type ClickGoal, clickGoals } from './click-goals.ts'
export { draftOf, fieldsOf, noCondition, resolveCondition } from './condition.ts'
export { goalInput } from './fields.ts'
export { kinds } from './records.ts'
export { goal_deleting } from './hooks.ts'
export { engineGoal, goalColumns, goalOfRow, noWorth, worthOf } from './worth.ts'
