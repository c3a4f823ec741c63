/** Finds the members that an identity provider added and who have not signed in yet. */
import { sql } from 'kysely'
import type { Conversion } from '../step.ts'

export const awaitedMembers: Conversion = async db => {
  // A member is awaited if the account is older than the membership, and nothing shows that its person has come: neither a sign-in by the
  // identity provider nor a token.
  await sql`update members set awaited_email = (select lower(s.user_name) from scim_users s where s.member_id = members.id)
    where exists (select 1 from scim_users s where s.member_id = members.id)
      and exists (select 1 from accounts a where a.id = members.account_id and a.created_at < members.created_at)
      and not exists (select 1 from api_tokens t where t.member_id = members.id)
      and not exists (select 1 from sso_identities i where i.account_id = members.account_id and i.workspace_id = members.workspace_id)`.execute(
    db,
  )
}
