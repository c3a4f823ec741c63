/** Which plan workspaces have, and what they used of it that is counted nowhere else. */
import { text, bigint, instant, reference, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

/** A workspace without a row has the plan that new ones have. */
export const workspace_plans = table(
  {
    workspace_id: reference('workspaces'),
    /** Id in PLANS_FILE. */
    plan: text,
    /** When it became this plan. */
    since: instant,
    /** From then on nothing is created in it, as it is not paid for; null: no such time. */
    blocked_from: nullable(instant),
  },
  { key: ['workspace_id'] },
)
export type WorkspacePlanRow = Row<typeof workspace_plans>

/** Questions that a workspace asked the assistant in a month. */
export const ai_questions = table(
  {
    workspace_id: reference('workspaces'),
    /** `2026-11` */
    month: text,
    questions: bigint,
  },
  { key: ['workspace_id', 'month'] },
)
export type AiQuestionsRow = Row<typeof ai_questions>
