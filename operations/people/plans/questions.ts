/** Counts questions to the assistant towards the monthly limit. */
import type { Config } from '../../../runtime/settings/config.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { adding } from '../../../runtime/table/quota.ts'
import type { Emit } from '../../../runtime/events/event.ts'
import { monthOf } from '../../../storage/calendar/month.ts'
import type { Db } from '../../../storage/store.ts'
import { planOf } from './plan-of.ts'
import { m } from './messages.ts'

/**
 * Counts a question before it is sent to the model. Two processes cannot both take the last one: if the count exceeds the
 * limit, the refusal rolls the transaction back.
 * @param db a transaction
 * @throws Failure `limit_reached`
 */
export async function takeQuestion(
  db: Db,
  { config, emit, now }: { config: Config; emit: Emit; now: number },
  workspaceId: string,
): Promise<void> {
  await emit(adding, { workspaceId, quota: undefined })
  const { plan } = await planOf(db, config, workspaceId)
  const { questions } = await db
    .insertInto('ai_questions')
    .values({ workspace_id: workspaceId, month: monthOf(now).name, questions: 1 })
    .onConflict(on => on.columns(['workspace_id', 'month']).doUpdateSet(({ eb }) => ({ questions: eb('ai_questions.questions', '+', 1) })))
    .returning('questions')
    .executeTakeFirstOrThrow()
  const max = plan.limits.ai_questions
  if (max !== null && questions > max) fail('limit_reached', m.questions_used_up({ plan: plan.name, most: max }))
}

/** Returns a counted question that no model answered. */
export async function returnQuestion(db: Db, now: number, workspaceId: string): Promise<void> {
  await db
    .updateTable('ai_questions')
    .set(({ eb }) => ({ questions: eb('questions', '-', 1) }))
    .where('workspace_id', '=', workspaceId)
    .where('month', '=', monthOf(now).name)
    .where('questions', '>', 0)
    .execute()
}
