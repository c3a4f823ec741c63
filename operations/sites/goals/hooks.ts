import { hook } from '../../../runtime/events/hook.ts'
import type { GoalRow } from '../../../storage/tables/index.ts'

/** Runs before a goal is deleted. A listener that still needs the goal throws a `Failure`. */
export const goal_deleting = hook<{ readonly goal: GoalRow }>('a goal is deleted')
