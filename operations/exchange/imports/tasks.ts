import { m } from './messages.ts'
import { storedSentence } from '../../../runtime/texts/message.ts'
import { jobsOpen, runJobs } from '../../../runtime/tasks/job.ts'
import { task } from '../../../runtime/table/task.ts'
import type { ImportRow } from '../../../storage/tables/index.ts'
import { files } from '../files/index.ts'
import { importTask, UPLOAD_MS } from './task-name.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

const AT_ONCE = 100

export const imports_run = task({
  name: importTask,
  summary: 'Reads the files of started imports, and removes the visits of deleted imports',
  every: 2_000,
  lease: 30_000,
  async run(context) {
    const { store, signal } = context
    const open = () =>
      store.read
        .selectFrom('imports')
        .selectAll()
        .where(({ eb, or }) => or([eb('removing', '=', 1), eb('status', 'in', jobsOpen)]))
        .orderBy('created_at')
        .limit(AT_ONCE)
        .execute()
    await runJobs<ImportRow>(signal, open, async row => {
      if (row.removing === 0) return (await import('./run.ts')).runImport(context, row)
      const site = await store.read.selectFrom('sites').select('number').where('id', '=', row.site_id).executeTakeFirst()
      const { removeHits } = await import('./days-of-hits.ts')
      if (site) await removeHits(store, { row, site: site.number, signal })
    })
  },
})

/** Refused lines are listed for this time, because they may have data of people that nothing else deletes. */
const REFUSED_MS = 90 * DAY_MS

export const imports_clean = task({
  name: 'imports_clean',
  summary:
    'Ends imports whose file was not uploaded within a day, and deletes files that no import needs, and lists of refused lines after 90 days',
  every: 600_000,
  lease: 60_000,
  async run({ store, now, use }) {
    await store.write
      .updateTable('imports')
      .set({
        status: 'failed',
        error_code: 'expired',
        error_message: storedSentence(m.not_uploaded()),
        finished_at: now(),
        updated_at: now(),
      })
      .where('status', '=', 'awaiting_upload')
      .where('created_at', '<=', now() - UPLOAD_MS)
      .execute()
    const finished = store.write
      .selectFrom('imports')
      .select('id')
      .where('finished_at', '<=', now() - REFUSED_MS)
    await store.write.deleteFrom('import_refusals').where('import_id', 'in', finished).execute()
    for (const name of await use(files).names('imp_')) {
      const needing = await store.read
        .selectFrom('imports')
        .select('id')
        .where('id', '=', name)
        .where('status', 'in', ['awaiting_upload', ...jobsOpen])
        .executeTakeFirst()
      if (!needing) await use(files).remove(name)
    }
  },
})
