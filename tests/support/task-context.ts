/** Context of a task's run, for tests without a scheduler. It has no lease, so no other worker takes it over. */
import type { App } from '../../runtime/app.ts'
import { makeId } from '../../runtime/values/ids.ts'
import type { TaskContext } from '../../runtime/table/task.ts'
import { randomBytes } from './chance.ts'

export const taskContext = (app: App, signal = new AbortController().signal): TaskContext => ({
  ...app,
  signal,
  newId: kind => makeId(kind, app.now(), randomBytes(14)),
  isOurs: async () => true,
  progress() {},
})
