/** The target of a move: how far it is filled, recorded in the transaction of the rows, so that a killed move continues. */
import { sql } from 'kysely'
import { migrate } from '../migrations/migrate.ts'
import { recordedNames } from '../migrations/steps.ts'
import { tableNames } from '../sql/table-names.ts'
import type { Db, Store } from '../store.ts'
import { type Constraint, constraintsOf, dropConstraints } from './constraints.ts'
import { TARGET } from '../installation/move-marks.ts'
import { type MovedTable, movedTables } from './moved-tables.ts'
import type { Key } from './rows.ts'

/** How far a table is copied. */
export interface Copied {
  /** Key of the last row; undefined for none. */
  readonly after: Key | undefined
  readonly rows: number
  readonly isDone: boolean
}

/** The row of `move_target` about the move itself. */
const MOVE = ''
interface MoveRow {
  readonly id: string
  readonly constraints: readonly Constraint[]
}

/**
 * Looks before anything is changed, also in the source.
 * @param id of the move that the source has begun
 * @throws Error if the database is neither empty nor what an earlier attempt of this move left
 */
export async function checkTarget(target: Store, id: string | undefined): Promise<void> {
  const names = await tableNames(target.write, target.dialect)
  if (!names.has(TARGET)) await checkEmpty(target, names)
  else if (id === undefined || (await moveRow(target))?.id !== id)
    throw new Error('it is the target of another move: delete it and create it again, empty')
}

/**
 * Prepares an empty database, or takes up what an earlier attempt of this move left (`checkTarget`).
 * @returns the constraints that were dropped
 */
export async function beginTarget(target: Store, id: string): Promise<readonly Constraint[]> {
  const names = await tableNames(target.write, target.dialect)
  if (names.has(TARGET)) {
    await withoutForeignKeys(target)
    return (await moveRow(target))?.constraints ?? []
  }
  await migrate(target)
  await withoutForeignKeys(target)
  const constraints = await constraintsOf(target)
  await target.transaction(async trx => {
    await sql.raw(`create table ${TARGET} (name text primary key, after text, rows bigint not null, done integer not null)`).execute(trx)
    const row: MoveRow = { id, constraints }
    await sql`insert into move_target (name, after, rows, done) values (${MOVE}, ${JSON.stringify(row)}, 0, 0)`.execute(trx)
    await dropConstraints(trx, constraints)
    await sql`delete from instance_secrets`.execute(trx)
  })
  return constraints
}

/** The setting belongs to the connection, and has no effect in a transaction. */
async function withoutForeignKeys({ write, dialect }: Store): Promise<void> {
  if (dialect.name === 'sqlite') await sql`pragma foreign_keys = off`.execute(write)
}

async function moveRow({ write }: Store): Promise<MoveRow | undefined> {
  const { rows } = await sql<{ after: string }>`select after from move_target where name = ${MOVE}`.execute(write)
  return rows[0] && (JSON.parse(rows[0].after) as MoveRow) // as beginTarget wrote it
}

/** An empty database, or one in which only the schema of this version was made. */
async function checkEmpty({ write }: Store, all: ReadonlySet<string>): Promise<void> {
  const names = [...all].filter(name => !name.startsWith('pg_')) // Postgres' own
  if (names.length === 0) return
  const unknown = names.find(name => !movedTables.some(table => table.name === name) && !own.has(name))
  if (unknown !== undefined) throw new Error(`it is not empty: it has a table ${unknown}, and a move fills only an empty database`)
  await checkSteps({ write }, 'it')
  for (const { name } of movedTables) {
    const { rows } = await sql.raw(`select 1 from ${name} limit 1`).execute(write)
    if (rows.length > 0) throw new Error(`it is not empty: ${name} has rows, and a move fills only an empty database`)
  }
}
const own: ReadonlySet<string> = new Set(['kysely_migration', 'kysely_migration_lock', 'changes', 'instance_secrets', 'sqlite_sequence'])

/** @throws Error if the schema is not of this version */
export async function checkSteps({ write }: Pick<Store, 'write'>, what: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(write)
  const recorded = new Set(rows.map(({ name }) => name))
  const newer = [...recorded].find(name => !recordedNames.includes(name))
  if (newer !== undefined) throw new Error(`${what} has the schema of a newer version (${newer}): move it with that version`)
  const missing = recordedNames.find(name => !recorded.has(name))
  if (missing !== undefined)
    throw new Error(`${what} has the schema of an older version (${missing} is missing): start this version once, and then move it`)
}

export async function copiedOf({ write }: Store, { name }: MovedTable): Promise<Copied> {
  const { rows } = await sql<{ after: string | null; rows: number; done: number }>`
    select after, rows, done from move_target where name = ${name}`.execute(write)
  const [row] = rows
  return {
    after: row?.after ? (JSON.parse(row.after) as Key) : undefined, // as below
    rows: Number(row?.rows ?? 0),
    isDone: row?.done === 1,
  }
}

/** Records it in the transaction that wrote the rows. */
export async function recordCopied(db: Db, { name }: MovedTable, { after, rows, isDone }: Copied): Promise<void> {
  const text = after ? JSON.stringify(after) : null
  await sql`
    insert into move_target (name, after, rows, done) values (${name}, ${text}, ${rows}, ${isDone ? 1 : 0})
    on conflict (name) do update set after = excluded.after, rows = excluded.rows, done = excluded.done`.execute(db)
}

/** Makes the database one that a service starts on. */
export async function endTarget({ write, dialect }: Store): Promise<void> {
  await sql.raw(`drop table ${TARGET}`).execute(write)
  if (dialect.name === 'sqlite') await sql`pragma foreign_keys = on`.execute(write)
  await sql.raw('analyze').execute(write)
}

/** Gives the database the numbers from which on it counts. */
export async function raiseSerials({ write, dialect }: Store): Promise<void> {
  if (dialect.name === 'sqlite') return // counts from the highest number by itself
  for (const { name, serial } of movedTables)
    if (serial !== undefined)
      await sql
        .raw(
          `select setval(pg_get_serial_sequence('${name}', '${serial}'), greatest(coalesce(max(${serial}), 0), 1), max(${serial}) is not null) from ${name}`,
        )
        .execute(write)
}
