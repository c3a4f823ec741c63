/** A conversation: questions of one person about a site, and their answers. */
import { Type } from '@sinclair/typebox'
import { among, DateTime, iso, Nullable, OneOf, optional, record, type Static } from '../../../runtime/table/schema.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { AssistantConversationRow, AssistantMessageRow } from '../../../storage/tables/assistant.ts'
import { completion } from '../../sites/goals/records.ts'

export const ids = { conversation: idKind('ask_') }

/** Counted from the last message. */
export const keptMs = 30 * DAY_MS
/** Questions and answers of one conversation. */
export const maxMessages = 200
export const maxQuestionLength = 2_000

export const question = Type.String({
  minLength: 1,
  maxLength: maxQuestionLength,
  pattern: '\\S',
  description: 'A question in English about the figures of the site: “How many visitors last week?”.',
})

export const Query = Type.Object(
  {
    tool: Type.String({ description: 'Operation that was called.' }),
    input: Type.Object({}, { additionalProperties: true, description: 'Its input, ready to be sent.' }),
    status: OneOf(['ok', 'error'], { description: '`error`: it was refused, and the answer uses nothing from it.' }),
    error: Nullable(Type.String(), { description: 'Reason of the refusal; null if it was answered.' }),
  },
  { description: 'A call behind the figures of the answer.' },
)

const cell = Type.Union([Type.String(), Type.Number(), Type.Null()])
const format = OneOf(['count', 'percent', 'ratio', 'ms', 'minor_units'], { description: 'Unit of the values.' })

const currency = optional(
  Type.String({
    description: 'ISO 4217 currency of values in minor units; absent without such values, and in charts of earlier versions.',
  }),
)

export const LineChart = Type.Object({
  type: Type.Literal('line', { description: 'A metric over time.' }),
  labels: Type.Array(Type.String(), { description: 'Start of each point, with the offset of the site.' }),
  series: Type.Array(Nullable(Type.Number()), { description: 'One value for each label.' }),
  comparison: Nullable(Type.Array(Nullable(Type.Number())), {
    description: 'Values of the comparison, one for each label; null without a comparison.',
  }),
  metric: Type.String({ description: 'Metric of the values, for example `visitors`.' }),
  format,
  currency,
})
export const TableChart = Type.Object({
  type: Type.Literal('table', { description: 'Values of a dimension with their figures.' }),
  columns: Type.Array(Type.Object({ name: Type.String({ description: 'Content of the column.' }), format: Nullable(format) }), {
    description: 'Columns from the left, named in the language of the answer; `format` is null for texts.',
  }),
  rows: Type.Array(Type.Array(cell), { description: 'One cell for each column.' }),
  currency,
})
export const Chart = Type.Union([LineChart, TableChart])

export const GoalDraft = Type.Object(
  {
    name: Type.String({ description: 'Name of the goal.' }),
    kind: completion.kind,
    path: completion.path,
    event: completion.event,
    property: completion.property,
    value: completion.value,
  },
  { description: 'Input of `goals_create`, to be confirmed by a person.' },
)

const roles = ['user', 'assistant'] as const
const Message = Type.Object({
  id: Type.String({ description: 'UUID, within the conversation.' }),
  role: OneOf(roles, { description: 'Author of the message.' }),
  content: Type.String({
    description: 'The question, or the answer as Markdown: in English to a token, on pages in the language of the account.',
  }),
  queries: Type.Array(Query, { description: 'The calls behind the answer, in their order.' }),
  chart: Nullable(Chart, { description: 'The answer as a line chart or table, made from the results of the queries.' }),
  goal_draft: Nullable(GoalDraft, { description: 'A suggested goal; nothing is created until `goals_create` is called with it.' }),
  input_tokens: Nullable(Type.Integer(), { description: 'Tokens that a model read; null if no model answered.' }),
  output_tokens: Nullable(Type.Integer(), { description: 'Tokens that a model wrote; null if no model answered.' }),
  created_at: DateTime({ description: 'Time of the message.' }),
})

const fields = {
  id: Type.String({ description: 'Prefix `ask_`.' }),
  site_id: Nullable(Type.String(), { description: 'Site of the conversation.' }),
  title: Nullable(Type.String(), { description: 'The first question, shortened.' }),
  created_at: DateTime({ description: 'Start time.' }),
  updated_at: DateTime({ description: 'Time of the last message.' }),
  expires_at: DateTime({ description: 'Time of its deletion: 30 days after the last message.' }),
}

export const Conversation = record(
  'Conversation',
  { ...fields, messages: Type.Array(Message, { description: 'Questions and answers, oldest first.' }) },
  'A conversation with the assistant, visible only to the member who asked.',
)
export const ListedConversation = record(
  'ListedConversation',
  { ...fields, message_count: Type.Integer({ unit: 'count', description: 'Questions and answers.' }) },
  'A conversation with the assistant, without its messages.',
)

/** Metadata of the list. */
export const ConversationsMeta = Type.Object({
  suggestions: Type.Array(Type.String(), { description: 'Questions to begin with.' }),
})

export type MessageRecord = Static<typeof Message>
export type QueryRecord = Static<typeof Query>
export type ChartRecord = Static<typeof Chart>
export type GoalDraftRecord = Static<typeof GoalDraft>

export const conversation = subject<'conversation', AssistantConversationRow>({
  name: 'conversation',
  calledBy: 'title',
  async find(db, id) {
    const row = await db
      .selectFrom('assistant_conversations as c')
      .innerJoin('sites as s', 's.id', 'c.site_id')
      .selectAll('c')
      .select('s.workspace_id')
      .where('c.id', '=', id)
      .executeTakeFirst()
    if (!row) return undefined
    const { workspace_id, ...own } = row
    return { row: own, workspaceId: workspace_id, siteId: own.site_id, accountId: own.account_id }
  },
  lock: (db, id) =>
    db
      .updateTable('assistant_conversations')
      .set(({ ref }) => ({ title: ref('title') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
})

/** Not yet deleted, but past its time. */
export const isExpired = ({ updated_at }: AssistantConversationRow, now: number): boolean => updated_at + keptMs <= now

const toFields = (row: AssistantConversationRow) => ({
  id: row.id,
  site_id: row.site_id,
  title: row.title,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
  expires_at: iso(row.updated_at + keptMs),
})

export const toListed = (row: AssistantConversationRow, messages: number): Static<typeof ListedConversation> => ({
  ...toFields(row),
  message_count: messages,
})

export const toConversation = (row: AssistantConversationRow, messages: readonly AssistantMessageRow[]): Static<typeof Conversation> => ({
  ...toFields(row),
  messages: messages.map(toMessage),
})

function toMessage(row: AssistantMessageRow): Static<typeof Message> {
  return {
    id: row.id,
    role: among(roles, row.role),
    content: row.content,
    queries: JSON.parse(row.queries),
    chart: row.chart === null ? null : JSON.parse(row.chart),
    goal_draft: row.goal_draft === null ? null : JSON.parse(row.goal_draft),
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    created_at: iso(row.created_at),
  }
}
