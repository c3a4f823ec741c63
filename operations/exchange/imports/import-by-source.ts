/** Imports a file of another product by the command, with the same steps as over the API. */
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { App } from '../../../runtime/app.ts'
import { makeId } from '../../../runtime/values/ids.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import type { ImportRow } from '../../../storage/tables/index.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { files } from '../files/index.ts'
import { checkFile } from './check.ts'
import { type NewImport, newImport, startImport } from './new-import.ts'
import { ids } from './records.ts'
import { imports_run } from './tasks.ts'

/** Interval between two queries of the progress, ms. */
const QUERY_MS = 500

interface ImportBySource {
  readonly site: LiveSite
  readonly file: string
  readonly asked: Omit<NewImport, 'filename'>
  readonly onProgress: (row: ImportRow) => void
}

/**
 * The import is a job like others. If the service runs and has the lease, it does the work; otherwise this process does.
 * @returns the ended import
 * @throws Failure if the file cannot be imported
 */
export async function importBySource(app: App, { site, file, asked, onProgress }: ImportBySource): Promise<ImportRow> {
  const { store, now } = app
  const row = newImport({ ...asked, filename: path.basename(file) }, site, {
    id: makeId(ids.import, now(), app.random(14)),
    now: now(),
    createdBy: null,
  })
  // First the row: the service deletes files that no import needs.
  await store.write.insertInto('imports').values(row).execute()
  try {
    await app.use(files).write(row.id, { from: 0, bytes: createReadStream(file), max: Infinity })
    const checked = await checkFile(app.use(files), row, localDay(site.timezone, now()).day)
    await store.transaction(trx => startImport(trx, { dialect: store.dialect, site, row, checked, now: now() }))
  } catch (error) {
    await store.write.deleteFrom('imports').where('id', '=', row.id).execute()
    await app.use(files).remove(row.id)
    throw error
  }
  const scheduler = createScheduler(app, [imports_run])
  scheduler.start()
  try {
    for (;;) {
      const reached = await store.read.selectFrom('imports').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow()
      onProgress(reached)
      if (reached.finished_at !== null) return reached
      await setTimeout(QUERY_MS)
    }
  } finally {
    await scheduler.stop()
  }
}
