/** The links of an invitation: creates, mails and finds them. */
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { permissionsOf } from '../../../runtime/table/permissions.ts'
import type { Db } from '../../../storage/store.ts'
import type { InvitationRow } from '../../../storage/tables/workspaces.ts'
import { canMail, countMail, type Mailing, queueMail, sayTo } from '../mail/index.ts'
import { m } from './messages.ts'
import { valueTerm } from '../../../runtime/texts/message.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export const goodMs = 7 * DAY_MS
/** Largest number of open invitations of a workspace. */
export const MAX_OPEN = 100

/** The secrets of an invitation. Each is stored only in its URL. */
export interface Secrets {
  /** Secret of the link that is shown to the inviter. */
  readonly shown: string
  /** Secret of the link that is mailed. It differs, so that it proves access to the mailbox. Undefined without a mail server. */
  readonly mailed: string | undefined
}

export function makeSecrets({ random, config }: Pick<Mailing, 'config'> & { random(size: number): Buffer }): Secrets {
  const secret = () => random(32).toString('base64url')
  return { shown: secret(), mailed: canMail(config) ? secret() : undefined }
}

/** The hashes that are stored of the secrets. */
export const hashesOf = ({ shown, mailed }: Secrets): Pick<InvitationRow, 'hash' | 'mailed_hash'> => ({
  hash: hashCredential(shown),
  mailed_hash: mailed === undefined ? null : hashCredential(mailed),
})

/** Mails the link if there is a mail server. @returns the part of the record that the inviter sees @throws Failure `rate_limited` */
export async function sent(
  mailing: Mailing,
  { row, workspace }: { row: InvitationRow; workspace: string },
  { shown, mailed }: Secrets,
): Promise<{ url: string; mailed: boolean }> {
  const { BASE_URL } = mailing.config
  const urlOf = (secret: string) => `${BASE_URL}/invitations/${secret}`
  if (mailed === undefined) return { url: urlOf(shown), mailed: false }
  await countMail(mailing, row.email)
  const say = await sayTo(mailing.db, row.email, row.invited_by)
  await queueMail(mailing, {
    to: row.email,
    say,
    subject: say(m.who_invites_you_to_workspace_on, { who: row.invited_by, workspace }),
    open: say(m.join),
    text: [
      say(m.who_invites_you_to_the_workspace, {
        who: row.invited_by,
        workspace,
        address: BASE_URL,
        role: say(valueTerm(row.role)),
      }),
      urlOf(mailed),
      say(m.if_you_do_not_know_them),
    ],
  })
  return { url: urlOf(shown), mailed: true }
}

/** `isMailed`: found by the link that only the mailbox received. */
export type FoundInvitation = InvitationRow & { workspace: string; isMailed: boolean }

/** Finds the invitation of a valid link: it has not expired, and the inviter may still give this role. */
export async function findInvitation(db: Db, secret: string, now: number): Promise<FoundInvitation | undefined> {
  const hash = hashCredential(secret)
  const found = await db
    .selectFrom('invitations as i')
    .innerJoin('workspaces as w', 'w.id', 'i.workspace_id')
    .selectAll('i')
    .select('w.name as workspace')
    .where(({ or, eb }) => or([eb('i.hash', '=', hash), eb('i.mailed_hash', '=', hash)]))
    .where('i.expires_at', '>', now)
    .executeTakeFirst()
  return found && (await mayGive(db, found)) ? { ...found, isMailed: found.mailed_hash === hash } : undefined
}

/** Whether the inviter may still give the role. A removed or demoted member must not come back through an own invitation. */
async function mayGive(db: Db, { workspace_id, invited_by, role }: InvitationRow): Promise<boolean> {
  const inviter = await db
    .selectFrom('members as m')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .select('m.role')
    .where('m.workspace_id', '=', workspace_id)
    .where('m.active', '=', 1)
    .where('a.email', '=', invited_by)
    .executeTakeFirst()
  const held = permissionsOf(inviter?.role ?? '')
  return held.includes('members.manage') && permissionsOf(role).every(name => held.includes(name))
}
