/** Exports of this area for other areas. */
export { assignPlan, limitsOf, limitsOfAll, planOf, plansOf } from './plan-of.ts'
export { keptDays, keptDaysOf, type Keeping } from './retention.ts'
export { returnQuestion, takeQuestion } from './questions.ts'
export { hitsByDay, hitsUsed } from './used.ts'
