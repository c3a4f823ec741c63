/** Gauges in `/metrics`: of tasks, of the database and of areas, read from the database, so that every process shows the same. */
import { clusterGauges } from '../settings/cluster.ts'
import { packedGauges } from '../settings/packed-days.ts'
import { depthOf } from './lease.ts'
import type { Gauge } from '../observability/metrics.ts'
import type { Table } from '../table/table.ts'
import type { Task } from '../table/task.ts'
import { claimable } from './task-rows.ts'
import type { TaskServices } from './task-services.ts'

/** All gauges. If some cannot be read, the others are. */
export async function readGauges(app: TaskServices & { readonly table: Pick<Table, 'gauges'> }): Promise<Gauge[]> {
  const gauges = [taskGauges, clusterGauges, packedGauges, fileGauges, ...app.table.gauges].map(async read => {
    try {
      return await read(app)
    } catch (err) {
      app.log.warn({ err }, 'some gauges could not be read')
      return []
    }
  })
  return (await Promise.all(gauges)).flat()
}

async function taskGauges({ store, table: { tasks }, now }: Pick<TaskServices, 'store' | 'table' | 'now'>): Promise<Gauge[]> {
  const at = now()
  const rows = await claimable(store.read)
  const depths = new Map(
    await Promise.all(tasks.map(async ({ name, queue }) => [name, queue && (await depthOf(store, queue, at))] as const)),
  )

  /** One value for each task; null omits it. */
  const gauge = (name: string, help: string, valueOf: (task: Task) => number | null | undefined): Gauge => ({
    name,
    help,
    values: tasks.flatMap(task => {
      const value = valueOf(task) ?? null
      return value === null ? [] : [{ labels: { task: task.name }, value }]
    }),
  })
  const late = (since: number | null | undefined) => Math.max(0, at - (since ?? at)) / 1000
  return [
    gauge('task_lag_seconds', 'How long a task is overdue.', ({ name, shared }) => (shared ? null : late(rows.get(name)?.at))),
    gauge('task_steps_done', 'Steps that its run, or the last one, has done.', ({ name }) => rows.get(name)?.row.done),
    gauge('task_steps', 'All steps of that run.', ({ name }) => rows.get(name)?.row.total),
    gauge('queue_depth', 'Rows that are due and not yet taken on.', ({ name }) => depths.get(name)?.rows),
    gauge('queue_lag_seconds', 'How long the oldest of them is due.', ({ name, queue }) => queue && late(depths.get(name)?.since)),
  ]
}

/** The size of a SQLite file and of its free pages. */
async function fileGauges({ store: { file } }: Pick<TaskServices, 'store'>): Promise<Gauge[]> {
  if (!file) return []
  const { pages, freePages, pageSize } = file.space()
  const gauge = (name: string, help: string, value: number): Gauge => ({ name, help, values: [{ labels: {}, value }] })
  return [
    gauge('database_bytes', 'Size of the SQLite file.', pages * pageSize),
    gauge('database_free_bytes', 'Part of the SQLite file that holds nothing.', freePages * pageSize),
  ]
}
