/** Plans of workspaces, and the usage that no other table counts. */
import { text, bigint, instant, reference, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

/** A workspace without a row has the plan of new workspaces. */
export const workspace_plans = table(
  {
    workspace_id: reference('workspaces'),
    /** Id in PLANS_FILE. */
    plan: text,
    /** When the workspace got the plan. */
    since: instant,
    /** From this time on, the workspace cannot create anything because it is unpaid; null if it is not blocked. */
    blocked_from: nullable(instant),
  },
  { key: ['workspace_id'] },
)
export type WorkspacePlanRow = Row<typeof workspace_plans>

/** Number of questions that a workspace asked the assistant in a month. */
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
