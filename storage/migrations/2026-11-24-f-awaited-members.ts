/** Members whom an identity provider added, as it calls them, until they come in themselves. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const awaitedMembers: Migration = async (db, { types }) => {
  for (const name of ['awaited_email', 'awaited_name']) {
    await sql.raw(`alter table members add column ${name} ${types.text}`).execute(db)
  }
  // Who was there before is awaited where their account is older than the membership and nothing tells that they came: no sign-in by the
  // identity provider, and no token.
  await sql`update members set awaited_email = (select lower(s.user_name) from scim_users s where s.member_id = members.id)
    where exists (select 1 from scim_users s where s.member_id = members.id)
      and exists (select 1 from accounts a where a.id = members.account_id and a.created_at < members.created_at)
      and not exists (select 1 from api_tokens t where t.member_id = members.id)
      and not exists (select 1 from sso_identities i where i.account_id = members.account_id and i.workspace_id = members.workspace_id)`.execute(
    db,
  )
}
