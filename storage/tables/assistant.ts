import { text, int, instant, json, reference, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const assistant_conversations = table(
  {
    id: text,
    site_id: reference('sites'),
    /** The owner, who is the only one that sees the conversation. */
    account_id: reference('accounts'),
    /** The first question, shortened. */
    title: text,
    created_at: instant,
    /** Time of the last message. */
    updated_at: instant,
  },
  { indexes: [['site_id', 'account_id', 'updated_at'], ['account_id'], ['updated_at']] },
)
export type AssistantConversationRow = Row<typeof assistant_conversations>

export const assistant_messages = table(
  {
    id: text,
    conversation_id: reference('assistant_conversations'),
    /** From 0, without gaps. */
    position: int,
    role: text,
    content: text,
    /** JSON list. */
    queries: json,
    /** JSON object. */
    chart: nullable(json),
    /** JSON object. */
    goal_draft: nullable(json),
    /** Null if no model answered. */
    input_tokens: nullable(int),
    output_tokens: nullable(int),
    created_at: instant,
  },
  { key: ['conversation_id', 'position'] },
)
export type AssistantMessageRow = Row<typeof assistant_messages>
