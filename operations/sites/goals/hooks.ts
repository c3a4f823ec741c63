import { hook } from '../../../runtime/hook.ts'
import type { GoalRow } from '../../../storage/tables/index.ts'

/** Before it goes: whoever still needs it refuses with a `Failure`. */
export const goal_deleting = hook<{ readonly goal: GoalRow }>('a goal is deleted')
