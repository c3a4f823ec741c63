/** People who asked for an account and have not opened the link that was mailed to them. */
import { text, instant, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const sign_ups = table(
  {
    id: text,
    email: unique(text),
    name: nullable(text),
    /** Hash of the link's secret. */
    hash: unique(text),
    /** Code of whoever led them here. */
    code: nullable(text),
    /** `link`: by the address with the code; `box`: in a box on a page of theirs. */
    via: nullable(text),
    created_at: instant,
    expires_at: instant,
  },
  { indexes: [['code']] },
)
export type SignUpRow = Row<typeof sign_ups>
