/**
 * Marks the accounts whose address is proved. An account counts as verified from the moment at which its holder, an identity
 * provider or the operator proved the address, if no credential is left that was set before that moment. All other accounts
 * are unverified.
 */
import { sql } from 'kysely'
import type { Conversion } from '../step.ts'

export const verifiedAddresses: Conversion = async db => {
  const ofDomain = sql`d.verified_at is not null and substr(a.email, length(a.email) - length(d.domain)) = '@' || d.domain`
  // The proofs, in the order of the query: the account was created with its workspace, by `setup` on the machine or by the mailed link of a
  // sign-up; a link from a mail or from the machine set its password; an identity provider of a verified domain created it or signed it in.
  await sql`update accounts set email_verified_at = proof.at from (
      select account_id, max(at) as at from (
        select a.id as account_id, a.created_at as at from accounts a
          join members m on m.account_id = a.id and m.created_at = a.created_at and m.role = 'owner'
          join workspaces w on w.id = m.workspace_id and w.created_at = a.created_at
        union all
        select a.id, e.at from audit_entries e join accounts a on a.email = e.actor and a.created_at <= e.at
          where e.operation = 'passwords_reset' and e.door = 'link' and e.outcome = 'done'
        union all
        select a.id, a.created_at from accounts a
          join members m on m.account_id = a.id and m.created_at = a.created_at
          join scim_users s on s.member_id = m.id
          join sso_domains d on d.workspace_id = m.workspace_id where ${ofDomain}
        union all
        select a.id, i.created_at from accounts a
          join sso_identities i on i.account_id = a.id
          join sso_domains d on d.workspace_id = i.workspace_id where ${ofDomain}
      ) proofs group by account_id
    ) proof
    where proof.account_id = accounts.id
      and not exists (select 1 from passwords p where p.account_id = accounts.id and p.changed_at < proof.at)
      and not exists (select 1 from passkeys k where k.account_id = accounts.id and k.created_at < proof.at)
      and not exists (select 1 from totp c where c.account_id = accounts.id and c.enabled_at < proof.at)
      and not exists (select 1 from sessions s where s.account_id = accounts.id and s.created_at < proof.at)
      and not exists (select 1 from members m join api_tokens t on t.member_id = m.id
        where m.account_id = accounts.id and t.revoked_at is null and t.created_at < proof.at)`.execute(db)
}
