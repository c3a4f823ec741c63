/**
 * Undoing deletions: a record that is deleted with `deleteFor` can be restored for 30 days by an operation that its area
 * declares with `restoring`. Both work on any table (storage/deleted).
 */
import type { Static, TSchema } from '@sinclair/typebox'
import { type Selectable, sql } from 'kysely'
import type { Awaitable } from '../../storage/values/awaitable.ts'
import { DAY_MS } from '../../storage/values/durations.ts'
import { type Deleting, keepDeleted } from '../../storage/deleted/keep.ts'
import { putBack } from '../../storage/deleted/put-back.ts'
import { isUniqueViolation, type Db } from '../../storage/store.ts'
import type { DeletedRecordRow, Tables } from '../../storage/tables/index.ts'
import type { Reach, Route } from './access.ts'
import type { Services } from './call-services.ts'
import type { Caller, MemberCaller } from './caller.ts'
import { fail } from './errors.ts'
import { operation, type Typed } from './operation.ts'
import type { AnySubject, Example, Input } from './operation-fields.ts'
import type { Permission } from './permissions.ts'
import { subject, type Subject } from './subject.ts'
import type { Sentence } from '../texts/message.ts'
import { m } from './messages.ts'

/** Days for which a deleted record can be restored. */
export const restorableDays = 30
export const restorableMs = restorableDays * DAY_MS

type RowOf<T extends keyof Tables> = Selectable<Tables[T]>

interface DeletingCall {
  readonly db: Db
  readonly store: Services['store']
  readonly now: number
  readonly caller: Caller
}

/**
 * Deletes the record of a call, so that it can be restored.
 * @returns the deleted row
 * @throws Failure `not_found` if it was deleted in the meantime
 */
export async function deleteFor<T extends keyof Tables & string>(
  { db, store, now, caller }: DeletingCall,
  deleting: Omit<Deleting, 'now' | 'by' | 'table'> & { readonly table: T },
): Promise<RowOf<T>> {
  const row = await keepDeleted(db, store.dialect, { ...deleting, now, by: caller.actor })
  return (row ?? fail('not_found')) as RowOf<T> // a row of that table
}

/** The argument of the functions of `restoring`. */
export type RestoringCall = Services & {
  readonly caller: MemberCaller
  /** The record as it was kept. */
  readonly record: DeletedRecordRow
}

interface Restoring<R extends Route, T extends keyof Tables & string, O extends TSchema> {
  readonly route: R
  /** The operation that deletes the record. */
  readonly undoes: string
  /** Table of the record. */
  readonly table: T
  /** The subject of the record while it exists. */
  readonly of: AnySubject
  readonly summary: string
  readonly description: string
  readonly help?: string
  readonly done: string
  readonly access: Permission
  readonly needs?: readonly Permission[]
  /** The subject that contains it. */
  readonly on?: AnySubject
  readonly groups?: boolean
  /** Hidden from tokens restricted to sites if it has no site. */
  readonly isHiddenWithoutSite?: true
  readonly reach?: (row: RowOf<T>) => Reach
  /** Any further reason to refuse this caller the record. */
  readonly denies?: (row: RowOf<T>, caller: Caller) => Sentence | undefined
  readonly output: O
  readonly examples: readonly Example[]
  /** Refuses a record that no longer fits, because something that it needs was deleted as well. */
  fits?(row: RowOf<T>, call: RestoringCall): Awaitable<void>
  /** The row to store; defaults to the kept one. */
  revived?(row: RowOf<T>, call: RestoringCall): RowOf<T>
  /** Called after the record and its dependents were stored. Returns its row. */
  restored?(row: RowOf<T>, call: RestoringCall): Promise<RowOf<T>>
  answer(row: RowOf<T>, call: RestoringCall): Awaitable<Static<O>>
}

/** Declares the operation that restores a deleted record. Needs the permission to delete it. */
export function restoring<const R extends Route, T extends keyof Tables & string, O extends TSchema>(
  declared: Restoring<R, T, O>,
): Typed<Input<R, Record<never, never>>, Static<O>> {
  const { table, reach, denies } = declared
  const rowOf = ({ row }: DeletedRecordRow) => JSON.parse(row) as RowOf<T> // stored by keepDeleted
  const deleted = deletedSubject(declared.of, table, declared.isHiddenWithoutSite === true)
  const on: readonly AnySubject[] = declared.on ? [declared.on, deleted] : [deleted]
  const recordOf = (call: object): DeletedRecordRow => Reflect.get(call, deleted.name) as DeletedRecordRow // found by the subject
  return operation({
    route: declared.route,
    summary: declared.summary,
    description: declared.description,
    ...(declared.help !== undefined && { help: declared.help }),
    label: 'Restore',
    done: declared.done,
    undoes: declared.undoes,
    access: declared.access,
    needs: declared.needs ?? [],
    on,
    groups: declared.groups ?? false,
    ...(reach && { reach: (call: object) => reach(rowOf(recordOf(call))) }),
    ...(denies && { denies: (call: { readonly caller: Caller }) => denies(rowOf(recordOf(call)), call.caller) }),
    effect: 'create',
    input: {},
    output: declared.output,
    examples: declared.examples,
    async run(given): Promise<Static<O>> {
      const call = { ...(given as unknown as Services & { caller: MemberCaller }), record: recordOf(given) }
      const { db, now, store } = call
      const record = await lockDeleted(db, call.record, store.dialect.rowLock.wait)
      if (!record || record.deleted_at <= now - restorableMs) fail('not_found')
      const row = rowOf(record)
      await declared.fits?.(row, { ...call, record })
      const revived = declared.revived?.(row, { ...call, record }) ?? row
      const stored = (await putBack(db, record, { ...revived, ...placeOf(row, record) }).catch(refuseTaken(record.name))) as RowOf<T>
      const restored = (await declared.restored?.(stored, { ...call, record })) ?? stored
      return declared.answer(restored, call)
    },
  }) as Typed<Input<R, Record<never, never>>, Static<O>> // its only input is its path
}

/** Refuses a record that needs another one (`id`), which was deleted as well. */
export async function needsDeleted(db: Db, { name, workspaceId, id }: { name: string; workspaceId: string; id: string }): Promise<never> {
  const other = await db
    .selectFrom('deleted_records')
    .select('name')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return fail('invalid_state', other ? m.parent_deleted({ name, what: other.name, id }) : m.parent_gone({ name, id }))
}

/** The workspace may be another one by now, as its site has moved. */
const placeOf = (row: object, { workspace_id }: DeletedRecordRow) => ('workspace_id' in row ? { workspace_id } : {})

/** The record, which another restore may have taken in the meantime. */
const lockDeleted = (db: Db, { id, of }: DeletedRecordRow, lock: string): Promise<DeletedRecordRow | undefined> =>
  db.selectFrom('deleted_records').selectAll().where('id', '=', id).where('of', '=', of).modifyEnd(sql.raw(lock)).executeTakeFirst()

const refuseTaken =
  (name: string) =>
  (error: unknown): never => {
    if (isUniqueViolation(error)) fail('already_exists', m.taken_meanwhile({ name }))
    throw error
  }

/** After it was restored, a repeated request still finds the record, and gets the answer of the first one. */
function deletedSubject(of: AnySubject, table: string, isHiddenWithoutSite: boolean): Subject<string, DeletedRecordRow> {
  return subject<string, DeletedRecordRow>({
    name: `deleted_${of.name}`,
    calledBy: null,
    async find(db, id) {
      const row = await db.selectFrom('deleted_records').selectAll().where('id', '=', id).where('of', '=', table).executeTakeFirst()
      const unrestricted = isHiddenWithoutSite && row?.site_id === null
      if (row) return { row, workspaceId: row.workspace_id, siteId: row.site_id, unrestricted }
      const there = await of.find(db, id)
      if (!there || !('workspaceId' in there)) return undefined
      const { workspaceId: workspace_id, siteId: site_id } = there
      const live = { id, of: table, workspace_id, site_id, name: '', row: JSON.stringify(there.row), deleted_at: 0, deleted_by: '' }
      return { ...there, row: live }
    },
  })
}
