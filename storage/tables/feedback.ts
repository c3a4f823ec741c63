export interface FeedbackRow {
  id: string
  /** Null once the account is deleted. */
  account_id: string | null
  kind: string
  message: string
  created_at: number
}

declare module './index.ts' {
  interface Tables {
    feedback: FeedbackRow
  }
}
