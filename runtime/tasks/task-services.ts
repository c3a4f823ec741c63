/** The services that running tasks takes; the app implements them. */
import type { Outages } from '../observability/outages.ts'
import type { HandlerServices } from '../table/services.ts'
import type { Task, TaskContext } from '../table/task.ts'

export interface TaskServices extends HandlerServices {
  readonly table: TaskContext['table'] & { readonly tasks: readonly Task[] }
  readonly outages: Outages
  /** The listener receives the name of a task when a committed transaction has created work for it. */
  onWake(listener: (task: string) => void): void
}
