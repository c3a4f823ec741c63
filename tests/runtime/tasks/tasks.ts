/** Tasks to schedule, and helpers. */
import { type Task, task } from '../../../runtime/table/task.ts'
import type { TestService } from '../../support/world.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND

/** A task due every minute with a lease of 30 seconds, unless overridden. */
export function taskOf(name: string, run: Task['run'], rest: Partial<Task> = {}): Task {
  return task({ name, summary: 'Does something', every: MINUTE, lease: 30 * SECOND, run, ...rest })
}

export async function rowOf({ store }: TestService, name: string) {
  return store.read.selectFrom('tasks').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
}

export function later(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

/** Polls until it is true. If it never is, the time limit of the run ends the test: a machine may be as slow as it likes. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await later(10)
}

/** A number once it stays the same for a while: what was under way on a busy machine has ended by then. */
export async function settled(count: () => number): Promise<number> {
  for (;;) {
    const before = count()
    await later(200)
    if (count() === before) return before
  }
}

/** A promise that the test resolves. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open }
}
