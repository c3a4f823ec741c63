/** Views made for a purpose, by the record that they show (`[Site]`: a list of it). What has none is shown by its schema. */
import { conversation } from './conversation.tsx'
import { conversations } from './conversations.tsx'
import { search } from './search.tsx'
import type { View } from './view.ts'

export const views: Readonly<Record<string, View>> = {
  Conversation: conversation,
  '[ListedConversation]': conversations,
  SearchResults: search,
}
