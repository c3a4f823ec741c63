/** Requests for an account whose mailed link was not opened yet. */
import { text, instant, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const sign_ups = table(
  {
    id: text,
    email: unique(text),
    name: nullable(text),
    /** Hash of the link's secret. */
    hash: unique(text),
    /** Code of the affiliate that referred them. */
    code: nullable(text),
    /** How the code arrived: with a link of the affiliate (`link`), or from the sign-up box on a page of the affiliate (`box`). */
    via: nullable(text),
    created_at: instant,
    expires_at: instant,
  },
  { indexes: [['code']] },
)
export type SignUpRow = Row<typeof sign_ups>
