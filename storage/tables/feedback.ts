import { text, instant, reference, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const feedback = table({
  id: text,
  /** Null once the account is deleted. */
  account_id: nullable(reference('accounts', { onDelete: 'set null' })),
  kind: text,
  message: text,
  created_at: instant,
})
export type FeedbackRow = Row<typeof feedback>
