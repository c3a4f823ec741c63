/** Reads the path's subjects again inside the transaction, and locks those that the operation declares as locked. */
import { sql } from 'kysely'
import type { Dialect } from '../../storage/dialects/dialect.ts'
import { type Db, isForeignKeyViolation } from '../../storage/store.ts'
import { fail } from '../table/errors.ts'
import { isObject } from '../values/json.ts'
import type { Call } from './call.ts'
import { servicesOf } from './run.ts'

/**
 * Since a subject was found, it or its container may have been deleted or moved to another workspace: a caller may send the input late.
 * @throws Failure `not_found` if one was deleted or moved in the meantime
 */
export async function lockSubjects(call: Call): Promise<void> {
  const { core, operation, path, db, handed } = call
  await operation.locks?.(servicesOf(call) as never) // the declaration's own types ensure that this fits
  for (const [depth, subject] of operation.on.entries()) {
    const id = path[operation.onParameters[depth] ?? '']
    if (typeof id !== 'string') fail('not_found')
    const isLocked = subject.isLocked === true || (depth === operation.on.length - 1 && isChanged(call))
    const found = handed[subject.name]
    if (isLocked && subject.lock) handed[subject.name] = (await subject.lock(db, id)) ?? fail('not_found')
    else if (subject.hold) handed[subject.name] = (await subject.hold(db, id, core.store.dialect)) ?? fail('not_found')
    else {
      if (isLocked && subject.table !== undefined) await lockRow(db, { dialect: core.store.dialect, table: subject.table, id })
      handed[subject.name] = ((await subject.find(db, id)) ?? fail('not_found')).row
    }
    if (isMoved(found, handed[subject.name])) fail('not_found')
  }
}

const isMoved = (found: unknown, row: unknown): boolean => {
  const [from, to] = [found, row].map(each => (isObject(each) ? each.workspace_id : undefined))
  return typeof from === 'string' && typeof to === 'string' && from !== to
}

/** Whether the row must be locked: a PATCH and a precondition start from the current record, and must not undo the change of another call. */
const isChanged = ({ operation: { method }, request }: Call): boolean => method === 'PATCH' || request.precondition !== undefined

async function lockRow(db: Db, { dialect: { rowLock }, table, id }: { dialect: Dialect; table: string; id: string }): Promise<void> {
  if (rowLock.wait !== '') await sql`select 1 from ${sql.table(table)} where id = ${id} ${sql.raw(rowLock.wait)}`.execute(db)
}

/** Without locks: the rows as they are in this transaction. @throws Failure `not_found` */
export const reloadSubjects = (call: Call): Promise<void> => lockSubjects({ ...call, operation: unlocked(call) })

/**
 * A subject that is not locked can be deleted while the transaction runs; the database then refuses rows that refer to
 * it. If all subjects still exist, the error is an internal one.
 * @throws Failure `not_found`, or `thrown` itself
 */
export async function orDeletedMeanwhile(call: Call, thrown: unknown): Promise<never> {
  if (isForeignKeyViolation(thrown)) await reloadSubjects({ ...call, db: call.core.store.read, handed: {} })
  throw thrown
}

/** Without locks, for use outside a transaction. */
const unlocked = ({ operation }: Call): Call['operation'] => ({
  ...operation,
  locks: undefined,
  on: operation.on.map(({ lock: _, hold: __, table: ___, ...subject }) => subject),
})
