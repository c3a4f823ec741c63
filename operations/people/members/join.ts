/** From a member whom an identity provider added to one who is there. */
import type { Db } from '../../../storage/store.ts'

/** Somebody whom an identity provider added has come in by themselves: from now on they are shown as their account says. */
export async function comeIn(db: Db, memberId: string): Promise<void> {
  await db
    .updateTable('members')
    .set({ awaited_email: null, awaited_name: null })
    .where('id', '=', memberId)
    .where('awaited_email', 'is not', null)
    .execute()
}

/** How the identity provider calls somebody who has not come in yet; whoever has is left as they are. */
export async function renameAwaited(db: Db, memberId: string, name: string | null): Promise<void> {
  await db.updateTable('members').set({ awaited_name: name }).where('id', '=', memberId).where('awaited_email', 'is not', null).execute()
}
