/** Which plan workspaces have, and what they used of it that is counted nowhere else. */

/** A workspace without a row has the plan that new ones have. */
export interface WorkspacePlanRow {
  workspace_id: string
  /** Id in PLANS_FILE. */
  plan: string
  /** When it became this plan. */
  since: number
  /** From then on nothing is created in it, as it is not paid for; null: no such time. */
  blocked_from: number | null
}

/** Questions that a workspace asked the assistant in a month. */
export interface AiQuestionsRow {
  workspace_id: string
  /** `2026-11` */
  month: string
  questions: number
}

declare module './index.ts' {
  interface Tables {
    workspace_plans: WorkspacePlanRow
    ai_questions: AiQuestionsRow
  }
}
