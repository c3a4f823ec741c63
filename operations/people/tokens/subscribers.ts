import { onHook } from '../../../runtime/subscriber.ts'
import { member_suspended } from '../members/index.ts'

/** A member who comes back makes new tokens: those of before may have gone where nobody knows. */
export const revoke_tokens = onHook(member_suspended, async ({ member }, { db, now }) => {
  await db.updateTable('api_tokens').set({ revoked_at: now }).where('member_id', '=', member.id).where('revoked_at', 'is', null).execute()
})
