/**
 * The records of a move in both databases (docs/operations.md). The source has `move_source`, with its state, and `move_changes`
 * (`storage/move/change-log.ts`). The target has `move_target` until the move has ended. No installation has these tables otherwise.
 */
import { sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { Db } from '../tables/db.ts'

export const SOURCE = 'move_source'
export const TARGET = 'move_target'
export const CHANGES = 'move_changes'

/** `paused` ends by itself, at `paused_until`: the mover may be killed. `moved` ends with `--cancel`. */
export type SourceState = 'copying' | 'paused' | 'moved'

export interface SourceMark {
  readonly id: string
  readonly state: SourceState
  /** The target, without its password. */
  readonly place: string
}

export async function sourceMark(db: Db, names: ReadonlySet<string>): Promise<SourceMark | undefined> {
  if (!names.has(SOURCE)) return undefined
  return (await sql<SourceMark>`select id, state, place from move_source`.execute(db)).rows[0]
}

/** Epoch seconds by the clock of the database. */
export const clockOf = ({ name }: Dialect): string =>
  name === 'postgres' ? 'extract(epoch from clock_timestamp())' : "cast(strftime('%s', 'now') as integer)"

/** Holds while the source refuses changes. */
export const refusing = (dialect: Dialect): string =>
  `select 1 from ${SOURCE} where state = 'moved' or (state = 'paused' and paused_until > ${clockOf(dialect)})`

/**
 * Keeps a service from starting on a database that was moved away, or that a move has not filled yet.
 * @param names of the tables of the database
 * @throws Error for the operator
 */
export async function checkNotMoved(db: Db, names: ReadonlySet<string>): Promise<void> {
  if (names.has(TARGET))
    throw new Error('a move to it has not ended: repeat the same `footfall move` to continue, or delete this database and create it again')
  const mark = await sourceMark(db, names)
  if (mark?.state === 'moved')
    throw new Error(`it was moved to ${mark.place}: set DATABASE_URL to that, or use this one again with \`footfall move --cancel\``)
}
