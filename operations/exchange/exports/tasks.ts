import { jobsOpen, runJobs } from '../../../runtime/tasks/job.ts'
import { task } from '../../../runtime/table/task.ts'
import type { ExportRow } from '../../../storage/tables/index.ts'
import { files } from '../files/index.ts'
import { exportTask } from './export-files.ts'

const AT_ONCE = 100

export const exports_run = task({
  name: exportTask,
  summary: 'Writes the files of exports',
  every: 2_000,
  lease: 30_000,
  async run(context) {
    const open = () =>
      context.store.read.selectFrom('exports').selectAll().where('status', 'in', jobsOpen).orderBy('created_at').limit(AT_ONCE).execute()
    await runJobs<ExportRow>(context.signal, open, async row => (await import('./run.ts')).runExport(context, row))
  },
})

export const exports_clean = task({
  name: 'exports_clean',
  summary: 'Deletes files of exports that expired after a week, and files that no export needs',
  every: 600_000,
  lease: 60_000,
  async run({ store, now, use }) {
    for (const id of await use(files).names('exp_')) {
      const needing = await store.read
        .selectFrom('exports')
        .select('id')
        .where('id', '=', id)
        .where(({ eb, or, and }) => or([eb('status', 'in', jobsOpen), and([eb('status', '=', 'completed'), eb('expires_at', '>', now())])]))
        .executeTakeFirst()
      if (!needing) await use(files).remove(id)
    }
  },
})
