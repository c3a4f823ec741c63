import { fail } from '../../../runtime/table/errors.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'
import { goal_deleting } from '../../sites/goals/index.ts'
import { stepsOf } from './records.ts'
import { m } from './messages.ts'

export const keep_goals_of_steps = onHook(goal_deleting, async ({ goal }, { db }) => {
  const funnels = await db.selectFrom('funnels').select(['name', 'steps']).where('site_id', '=', goal.site_id).execute()
  const funnel = funnels.find(row => stepsOf(row).some(({ goal_id }) => goal_id === goal.id))
  if (funnel) fail('invalid_state', m.goal_is_step({ name: funnel.name }))
})
