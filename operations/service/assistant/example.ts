/** A conversation with a question and its answer. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { addMessages } from './conversations.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId, random }) => {
  const conversation = newId(ids.conversation)
  const site = await db.selectFrom('sites').select('workspace_id').where('id', '=', id('site')).executeTakeFirstOrThrow()
  const { account_id } = await db
    .selectFrom('members')
    .select('account_id')
    .where('workspace_id', '=', site.workspace_id)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  const question = 'How many visitors last week?'
  const row = { id: conversation, site_id: id('site'), account_id, title: question, created_at: now, updated_at: now }
  await db.insertInto('assistant_conversations').values(row).execute()
  const input = { site_id: id('site'), period: '7d' }
  await addMessages(db, row, {
    question,
    answered: {
      content: '**12 visitors** in the last 7 days.',
      queries: [{ tool: 'stats_aggregate', input, status: 'ok', error: null }],
      chart: null,
      goal_draft: null,
      input_tokens: null,
      output_tokens: null,
    },
    now,
    random,
  })
  return { conversation }
})
