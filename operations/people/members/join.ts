/** The transition from an awaited member, whom an identity provider added, to a member who has joined. */
import type { Db } from '../../../storage/store.ts'

/** Records that an awaited member has joined. From now on, the member is shown with the values of their account. */
export async function comeIn(db: Db, memberId: string): Promise<void> {
  await db
    .updateTable('members')
    .set({ awaited_email: null, awaited_name: null })
    .where('id', '=', memberId)
    .where('awaited_email', 'is not', null)
    .execute()
}

/** Renames an awaited member at the request of the identity provider; a member who has joined keeps their name. */
export async function renameAwaited(db: Db, memberId: string, name: string | null): Promise<void> {
  await db.updateTable('members').set({ awaited_name: name }).where('id', '=', memberId).where('awaited_email', 'is not', null).execute()
}
