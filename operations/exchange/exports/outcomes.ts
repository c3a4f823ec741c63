/** Exports of a site and of a workspace: how they are cancelled, deleted and answered. */
import { valueTerm } from '../../../runtime/texts/message.ts'
import { fail } from '../../../runtime/table/errors.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import type { SecretBox } from '../../../runtime/settings/secret-box.ts'
import type { Db } from '../../../storage/store.ts'
import type { ExportRow } from '../../../storage/tables/index.ts'
import { signedLink } from '../files/index.ts'
import { downloadPath } from './export-files.ts'
import { m } from './messages.ts'

/** The services that make a download link. */
export interface LinkServices {
  readonly db: Db
  readonly box: SecretBox
  readonly config: Config
  readonly now: number
}

/** Sentences of the states that an export may have after its creation. */
export const created = {
  succeeded: m.the_file_is_ready,
  failed: m.the_export_failed,
  pending: m.export_created,
  cancelled: m.export_cancelled,
}

/** @returns null if there is no file */
export const downloadUrl = async (row: ExportRow, { now, ...services }: LinkServices): Promise<string | null> =>
  row.status === 'completed' && row.expires_at !== null && row.expires_at > now
    ? signedLink(services, { method: 'GET', path: downloadPath(row.id), until: row.expires_at })
    : null

/** @param row locked */
export async function cancel(db: Db, row: ExportRow, now: number): Promise<ExportRow> {
  if (row.status !== 'pending' && row.status !== 'running') fail('invalid_state', m.is_already({ state: valueTerm(row.status) }))
  return db
    .updateTable('exports')
    .set({ status: 'cancelled', finished_at: now, updated_at: now })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function remove(db: Db, { id }: ExportRow): Promise<ExportRow> {
  const deleted = await db.deleteFrom('exports').where('id', '=', id).returningAll().executeTakeFirst()
  return deleted ?? fail('not_found')
}
