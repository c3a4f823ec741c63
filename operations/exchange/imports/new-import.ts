/** Creates imports, and starts those whose file was checked. The API and the command share this code. */
import { keepMessages } from '../../../runtime/texts/message.ts'
import type { Dialect } from '../../../storage/dialects/dialect.ts'
import { type Db, isTransaction } from '../../../storage/store.ts'
import type { ImportRow } from '../../../storage/tables/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { type Checked, checkFree } from './check.ts'
import type { Overlap } from './records.ts'
import { type SourceName, sources } from './sources/index.ts'

export interface NewImport {
  readonly source: SourceName
  readonly filename: string
  readonly map: Readonly<Record<string, string>>
  readonly timezone: string
  /** Days, both included. */
  readonly from: number | null
  readonly to: number | null
  readonly dry_run: boolean
  readonly overlap?: Overlap | undefined
  /** URL of the file, encrypted and as displayed. */
  readonly fetched?: { readonly url: string; readonly shown: string }
}

/** The row of an import that waits for its file, or downloads it. */
export function newImport(
  asked: NewImport,
  site: Pick<LiveSite, 'id' | 'workspace_id'>,
  { id, now, createdBy }: { id: string; now: number; createdBy: string | null },
): ImportRow {
  return {
    id,
    workspace_id: site.workspace_id,
    site_id: site.id,
    created_by: createdBy,
    source: asked.source,
    kind: sources[asked.source].kind,
    filename: asked.filename,
    map: JSON.stringify(asked.map),
    timezone: asked.timezone,
    from_day: asked.from,
    to_day: asked.to,
    dry_run: Number(asked.dry_run),
    overlap: asked.overlap ?? 'refuse',
    bytes: null,
    url: asked.fetched?.url ?? null,
    url_shown: asked.fetched?.shown ?? null,
    url_tag: null,
    upload_by: null,
    upload_until: null,
    fingerprint: null,
    first_day: null,
    last_day: null,
    rows_read: 0,
    rows_taken: 0,
    rows_refused: 0,
    ignored: '[]',
    holds: null,
    removing: 0,
    status: asked.fetched ? 'pending' : 'awaiting_upload',
    progress: 0,
    error_code: null,
    error_message: null,
    started_at: null,
    finished_at: null,
    created_at: now,
    updated_at: now,
  }
}

interface StartImport {
  readonly dialect: Dialect
  readonly site: LiveSite
  readonly row: ImportRow
  readonly checked: Checked
  readonly now: number
  readonly status?: 'pending' | 'running' | undefined
}

/**
 * Starts an import, and locks the site: of two with the same days, the second finds the first.
 * @param db a transaction
 * @param status of an import that downloaded its file, which already runs
 * @returns undefined if it was cancelled in the meantime
 * @throws Failure `already_exists` or `invalid_state` if its days or its file were already imported
 */
export async function startImport(
  db: Db,
  { dialect, site, row, checked, now, status = 'pending' }: StartImport,
): Promise<ImportRow | undefined> {
  if (!isTransaction(db)) throw new Error('an import must be started in a transaction')
  await dialect.lockSites(db, [site.number])
  const days = row.dry_run === 0 ? await checkFree(db, { site, row }, checked) : checked.days
  return db
    .updateTable('imports')
    .set({
      status,
      fingerprint: checked.fingerprint,
      ignored: JSON.stringify(checked.ignored, keepMessages),
      url: null, // its key is not needed any more
      holds: checked.holds,
      first_day: days?.first ?? null,
      last_day: days?.last ?? null,
      // The other days of the file are left out.
      ...(days && row.overlap === 'skip' && { from_day: days.first, to_day: days.last }),
      updated_at: now,
    })
    .where('id', '=', row.id)
    .where('removing', '=', 0)
    .where('status', '=', status === 'running' ? 'running' : 'awaiting_upload')
    .returningAll()
    .executeTakeFirst()
}
