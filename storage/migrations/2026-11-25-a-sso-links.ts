/**
 * Single sign-on reaches one workspace, and owners only by an identity that they linked themselves. Identities from before were made by
 * the identity provider: none of them counts as linked.
 */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const ssoLinks: Migration = async (db, { types }) => {
  const columns = [
    `sso_identities add column linked_at ${types.bigint}`,
    `sso_identities add column linked_member_id ${types.text} references members(id) on delete set null`,
    `sso_sessions add column is_linked ${types.int} not null default 0`,
    `sso_sessions add column ends_at ${types.bigint}`,
    `sso_requests add column account_id ${types.text} references accounts(id) on delete cascade`,
    `api_tokens add column by_sso ${types.int} not null default 0`,
  ]
  for (const column of columns) await sql.raw(`alter table ${column}`).execute(db)
  // Tokens that OAuth clients got in a session of single sign-on.
  await sql`update api_tokens set by_sso = 1 where id in (select token_id from oauth_grants where by_sso = 1)`.execute(db)
}
