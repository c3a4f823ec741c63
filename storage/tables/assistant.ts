export interface AssistantConversationRow {
  id: string
  site_id: string
  /** The owner; nobody else sees it. */
  account_id: string
  /** The first question, shortened. */
  title: string
  created_at: number
  /** Time of the last message. */
  updated_at: number
}

export interface AssistantMessageRow {
  id: string
  conversation_id: string
  /** From 0, without gaps. */
  position: number
  role: string
  content: string
  /** JSON list. */
  queries: string
  /** JSON object. */
  chart: string | null
  /** JSON object. */
  goal_draft: string | null
  /** Null where no model answered. */
  input_tokens: number | null
  output_tokens: number | null
  created_at: number
}

declare module './index.ts' {
  interface Tables {
    assistant_conversations: AssistantConversationRow
    assistant_messages: AssistantMessageRow
  }
}
