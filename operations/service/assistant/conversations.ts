/** Conversations as they are stored. */
import { clipped } from '../../../runtime/values/clip.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { makeUuid } from '../../../runtime/values/ids.ts'
import { oneLine } from '../../../runtime/values/one-line.ts'
import type { Db } from '../../../storage/store.ts'
import type { AssistantConversationRow, AssistantMessageRow } from '../../../storage/tables/assistant.ts'
import type { Answered } from './answered.ts'
import { maxMessages } from './records.ts'
import { m } from './messages.ts'

/** Characters of the first question that become the title of the conversation. */
const maxTitleLength = 80
export const titleOf = (question: string): string => clipped(oneLine(question), maxTitleLength)

export const messagesOf = (db: Db, conversationId: string): Promise<AssistantMessageRow[]> =>
  db.selectFrom('assistant_messages').selectAll().where('conversation_id', '=', conversationId).orderBy('position').execute()

/** @throws Failure `limit_reached` */
export function refuseLonger(messages: number): void {
  if (messages + 2 > maxMessages) fail('limit_reached', m.most_messages({ most: maxMessages }))
}

interface Exchange {
  readonly question: string
  readonly answered: Answered
  readonly now: number
  random(size: number): Buffer
}

/** Adds a question and its answer. The conversation's row is locked, or was created in this transaction. */
export async function addMessages(
  db: Db,
  conversation: AssistantConversationRow,
  { question, answered, now, random }: Exchange,
): Promise<AssistantMessageRow[]> {
  const before = await messagesOf(db, conversation.id)
  refuseLonger(before.length)
  const plain = {
    conversation_id: conversation.id,
    queries: '[]',
    chart: null,
    goal_draft: null,
    input_tokens: null,
    output_tokens: null,
    created_at: now,
  }
  const added: AssistantMessageRow[] = [
    { ...plain, id: makeUuid(random(16)), position: before.length, role: 'user', content: question },
    {
      ...plain,
      id: makeUuid(random(16)),
      position: before.length + 1,
      role: 'assistant',
      content: answered.content,
      queries: JSON.stringify(answered.queries),
      chart: answered.chart && JSON.stringify(answered.chart),
      goal_draft: answered.goal_draft && JSON.stringify(answered.goal_draft),
      input_tokens: answered.input_tokens,
      output_tokens: answered.output_tokens,
    },
  ]
  await db.insertInto('assistant_messages').values(added).execute()
  return [...before, ...added]
}
