/**
 * Marks the accounts whose mailbox is proved: the verified ones, except those that an identity provider may have verified. A sign-in
 * through it records the identity at that moment, provisioning the user, and a membership without a sign-in waits for the person.
 */
import { sql } from 'kysely'
import type { Conversion } from '../step.ts'

export const provedMailboxes: Conversion = async db => {
  await sql`update accounts set mailbox_proved_at = email_verified_at
    where email_verified_at is not null
      and not exists (select 1 from sso_identities i where i.account_id = accounts.id
        and i.linked_at is null and i.created_at <= accounts.email_verified_at)
      and not exists (select 1 from members m join scim_users s on s.member_id = m.id
        where m.account_id = accounts.id and m.created_at <= accounts.email_verified_at)
      and not exists (select 1 from audit_entries e
        where e.operation = 'sso_login' and e.actor = accounts.email and e.at <= accounts.email_verified_at)`.execute(db)
}
