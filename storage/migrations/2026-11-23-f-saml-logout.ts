/** Single logout of SAML: where the identity provider is told, what this service signs with, and whom a session is of. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const samlLogout: Migration = async (db, dialect) => {
  for (const column of ['idp_slo_url', 'sp_key', 'sp_certificate'])
    await sql.raw(`alter table sso_configurations add column ${column} ${dialect.types.text}`).execute(db)
  await sql.raw(`alter table sso_sessions add column name_id ${dialect.types.text}`).execute(db)
}
