/** The link of an invitation: made, mailed, found again. */
import { hashCredential } from '../../../runtime/authenticator.ts'
import type { Db } from '../../../storage/store.ts'
import type { InvitationRow } from '../../../storage/tables/workspaces.ts'
import { canMail, type Mailing, queueMail } from '../mail/index.ts'

export const goodMs = 7 * 86_400_000
/** Open ones of a workspace. */
export const most = 100

/** A new link; its secret exists in the URL alone. */
export function makeSecret(random: (size: number) => Buffer): { secret: string; hash: string } {
  const secret = random(32).toString('base64url')
  return { secret, hash: hashCredential(secret) }
}

/** Mails the link, where there is a mail server. @returns what is shown to who invited */
export async function sent(
  mailing: Mailing,
  row: InvitationRow,
  workspace: string,
  secret: string,
): Promise<{ url: string; mailed: boolean }> {
  const { BASE_URL } = mailing.config
  const url = `${BASE_URL}/invitations/${secret}`
  await queueMail(mailing, {
    to: row.email,
    subject: `${row.invited_by} invites you to ${workspace} on Footfall`,
    text: [
      `${row.invited_by} invites you to the workspace ${workspace} at ${BASE_URL}, as ${row.role}. Accept within 7 days:`,
      url,
      'If you do not know them, there is nothing to do.',
    ],
  })
  return { url, mailed: canMail(mailing.config) }
}

export type FoundInvitation = InvitationRow & { workspace: string }

/** The invitation of a link that is still good. */
export function findInvitation(db: Db, secret: string, now: number): Promise<FoundInvitation | undefined> {
  return db
    .selectFrom('invitations as i')
    .innerJoin('workspaces as w', 'w.id', 'i.workspace_id')
    .selectAll('i')
    .select('w.name as workspace')
    .where('i.hash', '=', hashCredential(secret))
    .where('i.expires_at', '>', now)
    .executeTakeFirst()
}
