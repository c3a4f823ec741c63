/** The table `tasks`: when each task is due, and which worker has it. Shared tasks only record their state here. */
import { runNamed } from '../../storage/sql/named-statements.ts'
import type { Db, Store } from '../../storage/store.ts'
import type { TaskRow } from '../../storage/tables/index.ts'
import type { Task } from '../table/task.ts'

/**
 * Inserts new tasks, due now. If a task's interval became shorter, its due time moves up; a task `atStart` is due now. A start that finds
 * nothing to change writes nothing.
 */
export async function registerTasks(store: Store, tasks: readonly Task[], now: number): Promise<void> {
  const known = await claimable(store.read)
  const added = tasks.filter(({ name }) => !known.has(name))
  const late = tasks
    .map(({ name, every, atStart }) => ({ name, latest: atStart ? now : now + every }))
    .filter(({ name, latest }) => (known.get(name)?.row.next_at ?? latest) > latest)
  if (added.length + late.length === 0) return
  await store.transaction(async trx => {
    if (added.length > 0) {
      const rows = added.map(({ name }) => ({ ...unstarted, name, next_at: now }))
      await trx
        .insertInto('tasks')
        .values(rows)
        .onConflict(conflict => conflict.column('name').doNothing())
        .execute()
    }
    for (const { name, latest } of late.sort(byName)) await bringForward(trx, name, latest)
  })
}
const unstarted = {
  leased_by: null,
  leased_until: null,
  last_started_at: null,
  last_ended_at: null,
  last_error: null,
  done: 0,
  total: null,
}
/** Rows are locked in the same order everywhere. */
const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1)

/** When each task can be claimed, epoch ms: at its due time, or at the end of the current worker's lease. */
export async function claimable(db: Db): Promise<ReadonlyMap<string, { at: number; row: TaskRow }>> {
  const { rows } = await runNamed(db, 'task-rows.all', db.selectFrom('tasks').selectAll())
  return new Map(rows.map(row => [row.name, { at: row.leased_until ?? row.next_at, row }]))
}

/** @returns whether this worker has it now; of concurrent claims one succeeds */
export async function claimTask(
  store: Store,
  { name, lease, every }: Task,
  { row: { next_at }, worker, now }: { readonly row: TaskRow; readonly worker: string; readonly now: number },
): Promise<boolean> {
  const claim = store.write
    .updateTable('tasks')
    .set({
      leased_by: worker,
      leased_until: now + lease,
      last_started_at: now,
      done: 0,
      total: null,
      // Fixed rate, without catching up. Set at the start, so that waking it during the run is not lost.
      next_at: next_at > now ? next_at : next_at + every * (Math.floor((now - next_at) / every) + 1),
    })
    .where('name', '=', name)
    .where('next_at', '=', next_at)
    .where(({ or, and, eb }) => or([and([eb('leased_until', 'is', null), eb('next_at', '<=', now)]), eb('leased_until', '<=', now)]))
  const { numAffectedRows = 0n } = await runNamed(store.write, 'task-rows.claim', claim)
  return numAffectedRows > 0n
}

/** Writes the state of a run. @returns false if `worker` lost its lease; null needs none */
export async function noteRun(
  db: Db,
  { name, worker, known }: { name: string; worker: string | null; known: Partial<TaskRow> },
): Promise<boolean> {
  let query = db
    .updateTable('tasks')
    .set({ name, ...known })
    .where('name', '=', name)
  if (worker !== null) query = query.where('leased_by', '=', worker)
  const { numAffectedRows = 0n } = await runNamed(db, 'task-rows.note', query)
  return numAffectedRows > 0n
}

/** Writes the states of shared tasks together: each write waits for the disk. */
export const noteRuns = (store: Store, states: ReadonlyMap<string, Partial<TaskRow>>): Promise<void> =>
  store.transaction(async trx => {
    const sorted = [...states].map(([name, known]) => ({ name, worker: null, known })).sort(byName)
    for (const state of sorted) await noteRun(trx, state)
  })

export async function bringForward(db: Db, name: string, at: number): Promise<void> {
  await db.updateTable('tasks').set({ next_at: at }).where('name', '=', name).where('next_at', '>', at).execute()
}
