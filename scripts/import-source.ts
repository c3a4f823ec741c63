/** `npm run import -- export.zip --source plausible --site pa_…`: imports files of other products (docs/import.md). */
import { importBySource } from '../operations/exchange/imports/import-by-source.ts'
import { ignoredOf, type Overlap } from '../operations/exchange/imports/records.ts'
import type { SourceName } from '../operations/exchange/imports/sources/index.ts'
import { table } from '../operations/index.ts'
import type { LiveSite } from '../operations/sites/sites/records.ts'
import { createApp } from '../runtime/create-app.ts'
import type { Config } from '../runtime/settings/config.ts'
import { sentenceOf } from '../runtime/texts/message.ts'
import { openLog } from '../runtime/observability/log.ts'
import type { Store } from '../storage/store.ts'
import { random } from './machine.ts'
import { openProgress } from './progress.ts'

const count = (number: number) => number.toLocaleString('en-US')

interface ImportSource {
  readonly config: Config
  readonly now: () => number
  readonly site: LiveSite
  readonly path: string
  readonly source: SourceName
  readonly timezone: string
  readonly dryRun: boolean
  readonly overlap: Overlap
}

export async function importSource(
  store: Store,
  { config, now, site, path, source, timezone, dryRun, overlap }: ImportSource,
): Promise<void> {
  const app = createApp({ store, table, config, now, random, log: openLog(process.env.LOG_LEVEL ?? 'error') })
  const progress = openProgress()
  try {
    const asked = { source, map: {}, timezone, from: null, to: null, dry_run: dryRun, overlap }
    const row = await importBySource(app, {
      site,
      file: path,
      asked,
      onProgress: ({ progress: done, rows_read }) => progress.show(done / 100, `${count(rows_read)} rows`),
    })
    for (const { what, why, rows } of ignoredOf(row)) {
      const times = rows === null ? '' : `, ${count(rows)} ${rows === 1 ? 'row' : 'rows'}`
      process.stderr.write(`Not read: ${what} (${why})${times}\n`)
    }
    if (row.status !== 'completed')
      throw new Error(row.error_message === null ? `The import was ${row.status}` : String(sentenceOf(row.error_message)))
    process.stdout.write(
      `${count(row.rows_taken)} rows ${dryRun ? 'would be taken' : 'taken'}, ${count(row.rows_refused)} refused: ${row.id}\n`,
    )
  } finally {
    progress.end()
    await app.close()
  }
}
