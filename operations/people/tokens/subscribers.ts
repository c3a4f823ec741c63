import { account_claimed } from '../../../runtime/events/account-claimed.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'
import { member_suspended } from '../members/index.ts'

/** Revokes the tokens of a deactivated member. They stay revoked after a reactivation, because their whereabouts are unknown. */
export const revoke_tokens = onHook(member_suspended, async ({ member }, { db, now }) => {
  await db.updateTable('api_tokens').set({ revoked_at: now }).where('member_id', '=', member.id).where('revoked_at', 'is', null).execute()
})

/** Revokes the tokens in every workspace, and with them the grants of OAuth clients. */
export const revoke_tokens_of_claimed = onHook(account_claimed, async ({ accountId, since = 0, isKnownToProvider }, { db, now }) => {
  const own = db.selectFrom('members').select('id').where('account_id', '=', accountId)
  await db
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('member_id', 'in', own)
    .where('created_at', '>=', since)
    .where('by_sso', 'in', isKnownToProvider ? [0] : [0, 1])
    .where('revoked_at', 'is', null)
    .execute()
})
