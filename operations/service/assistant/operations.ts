import { fail } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { isMember } from '../../../runtime/table/caller.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { site } from '../../sites/sites/records.ts'
import { answerTo } from './answer.ts'
import { addMessages, messagesOf, refuseLonger, titleOf } from './conversations.ts'
import { suggestionsFor } from './planner/suggestions.ts'
import {
  Conversation,
  ConversationsMeta,
  conversation,
  ids,
  isExpired,
  keptMs,
  ListedConversation,
  question,
  toConversation,
  toListed,
} from './records.ts'

export const assistant_ask = operation({
  route: 'POST /sites/{site_id}/ask',
  summary: 'Ask about the figures of a site',
  done: 'Question answered.',
  description:
    'Begins a conversation. The answer names its period, filters and comparison, the calls behind its figures, and parts that were not understood.',
  access: 'analytics.read',
  on: site,
  effect: 'create',
  contacts: true,
  rate: 'costly',
  unaudited: true, // it changes only a conversation, which only its member can read
  input: { question },
  output: Conversation,
  examples: [
    { input: { site_id: '{{site}}', question: 'How many visitors did we have last week?' } },
    { summary: 'Top pages', input: { site_id: '{{site}}', question: 'Top 5 pages from Germany this month' } },
  ],
  async prepare(call) {
    return { answered: await answerTo({ ...call, earlier: [], question: call.input.question }) }
  },
  async run({ db, site, caller, input, now, newId, random, answered }) {
    const row = {
      id: newId(ids.conversation),
      site_id: site.id,
      account_id: caller.member.accountId,
      title: titleOf(input.question),
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('assistant_conversations').values(row).execute()
    return toConversation(row, await addMessages(db, row, { question: input.question, answered, now, random }))
  },
})

export const assistant_conversations_list = list({
  route: 'GET /sites/{site_id}/ask',
  summary: 'List your conversations with the assistant about a site',
  title: 'Assistant',
  place: 'now',
  icon: 'ask',
  description: 'The latest first. Each is deleted 30 days after its last message.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  of: ListedConversation,
  also: ConversationsMeta.properties,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, caller, now, page }) {
    const goals = await db.selectFrom('goals').select('name').where('site_id', '=', site.id).orderBy('created_at').limit(1).execute()
    const also = { suggestions: suggestionsFor(goals) }
    if (!isMember(caller)) return { rows: [], total: 0, also }
    const all = db
      .selectFrom('assistant_conversations')
      .selectAll()
      .where('site_id', '=', site.id)
      .where('account_id', '=', caller.member.accountId)
      .where('updated_at', '>', now - keptMs)
      .orderBy('updated_at', 'desc')
      .orderBy('id')
    const { rows, total } = await pageOf(all, page)
    const counted = await countsOf(
      db,
      rows.map(({ id }) => id),
    )
    return { rows: rows.map(row => toListed(row, counted.get(row.id) ?? 0)), total, also }
  },
})

export const assistant_conversations_get = operation({
  route: 'GET /sites/{site_id}/ask/{id}',
  summary: 'Get a conversation with the assistant',
  access: 'analytics.read',
  on: [site, conversation],
  effect: 'read',
  input: {},
  output: Conversation,
  examples: [{ input: { site_id: '{{site}}', id: '{{conversation}}' } }],
  async run({ db, conversation, now }) {
    if (isExpired(conversation, now)) fail('not_found')
    return toConversation(conversation, await messagesOf(db, conversation.id))
  },
})

export const assistant_continue = operation({
  route: 'POST /sites/{site_id}/ask/{id}',
  summary: 'Ask on in a conversation',
  label: 'Ask on',
  done: 'Question answered.',
  description: 'Omitted parts are taken from the previous question, for example “and from Germany?”. At most 200 messages.',
  access: 'analytics.read',
  on: [site, locked(conversation)],
  effect: 'update',
  contacts: true,
  rate: 'costly',
  unaudited: true, // as above
  input: { question },
  output: Conversation,
  examples: [{ input: { site_id: '{{site}}', id: '{{conversation}}', question: 'And the week before?' } }],
  async prepare(call) {
    const { conversation, db, now, input } = call
    if (isExpired(conversation, now)) fail('not_found')
    const earlier = await messagesOf(db, conversation.id)
    refuseLonger(earlier.length)
    return { answered: await answerTo({ ...call, earlier, question: input.question }) }
  },
  async run({ db, conversation, input, now, random, answered }) {
    const row = { ...conversation, updated_at: now }
    const messages = await addMessages(db, row, { question: input.question, answered, now, random })
    await db.updateTable('assistant_conversations').set({ updated_at: now }).where('id', '=', row.id).execute()
    return toConversation(row, messages)
  },
})

export const assistant_conversations_delete = operation({
  route: 'DELETE /sites/{site_id}/ask/{id}',
  summary: 'Delete a conversation with its messages',
  access: 'analytics.read',
  on: [site, locked(conversation)],
  effect: 'delete',
  unaudited: true, // as above
  input: {},
  output: Conversation,
  examples: [{ input: { site_id: '{{site}}', id: '{{conversation}}' } }],
  async run({ db, conversation, now }) {
    if (isExpired(conversation, now)) fail('not_found')
    const messages = await messagesOf(db, conversation.id)
    await db.deleteFrom('assistant_conversations').where('id', '=', conversation.id).execute()
    return toConversation(conversation, messages)
  },
})

async function countsOf(db: Parameters<typeof messagesOf>[0], conversations: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (conversations.length === 0) return new Map()
  const rows = await db
    .selectFrom('assistant_messages')
    .select(['conversation_id', ({ fn }) => fn.countAll<number>().as('messages')])
    .where('conversation_id', 'in', conversations)
    .groupBy('conversation_id')
    .execute()
  return new Map(rows.map(({ conversation_id, messages }) => [conversation_id, Number(messages)]))
}
