import type { Db } from '../../../storage/store.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'

/** Writes a whole configuration, as a new row or an update. The workspace must be locked. */
export async function save(db: Db, row: SsoConfigurationRow): Promise<void> {
  await db
    .insertInto('sso_configurations')
    .values(row)
    .onConflict(conflict => conflict.column('workspace_id').doUpdateSet(row))
    .execute()
}
