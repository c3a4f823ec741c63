import { bigint, instant, nullable, text } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

/** Backups of the database that the service makes itself (docs/install.md), and attempts that failed. */
export const backups = table(
  {
    id: text,
    /** Name of the file at `BACKUP_URL`. */
    name: text,
    started_at: instant,
    /** When all of it was read back and found complete; null if it is not, or not yet. */
    verified_at: nullable(instant),
    bytes: nullable(bigint),
    /** Why it failed, for the operator. */
    error: nullable(text),
    /** When the operators were mailed about a failed attempt. */
    mailed_at: nullable(instant),
  },
  { indexes: [['started_at']] },
)
export type BackupRow = Row<typeof backups>
