/** A person follows the link of an invitation, and joins with the account of their session or with a new one. */
import { Type } from '@sinclair/typebox'
import { auditPerson } from '../../../runtime/call/audit-entry.ts'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { roleNames } from '../../../runtime/table/permissions.ts'
import { among, DateTime, iso, Name, optional, record } from '../../../runtime/table/schema.ts'
import { addAccount, localeBy, lockUnused, noteVerified, proveAddress } from '../account/index.ts'
import { addMember, member_added } from '../members/index.ts'
import { Member, members, RoleName, toMember } from '../members/records.ts'
import { sessionShown, startSession } from '../sessions/index.ts'
import { hashPassword, keepPassword, namesAbout, newPassword, passwordFaults } from '../sign-in/index.ts'
import { workspace } from '../workspaces/records.ts'
import { type FoundInvitation, findInvitation } from './invite.ts'
import { m } from './messages.ts'

const invitationEnded = m.invitation_ended()
const bySso = m.accept_needs_password_or_passkey()
const token = Type.String({ maxLength: 64, description: 'The last path segment of the link.' })

const OpenInvitation = record(
  'OpenInvitation',
  {
    workspace: Type.String({ description: 'Name of the workspace.' }),
    email: Type.String({ description: 'Address that was invited.' }),
    role: RoleName,
    invited_by: Type.String({ description: 'E-mail address of the member who sent the invitation.' }),
    expires_at: DateTime({ description: 'When the link expires.' }),
  },
  'An invitation, as the holder of its link sees it.',
)

export const invitations_open = operation({
  route: 'GET /invitations/{token}',
  summary: 'Look at an invitation',
  access: 'public',
  surfaces: ['http'],
  effect: 'read',
  path: { token },
  input: {},
  output: OpenInvitation,
  secrets: ['token'],
  examples: [{ input: { token: '{{invitation_link}}' } }],
  async run({ db, input, now }) {
    const row = (await findInvitation(db, input.token, now)) ?? fail('not_found', invitationEnded)
    return {
      workspace: row.workspace,
      email: row.email,
      role: among(roleNames, row.role),
      invited_by: row.invited_by,
      expires_at: iso(row.expires_at),
    }
  },
})

export const invitations_accept = operation({
  route: 'POST /invitations/{token}',
  summary: 'Accept an invitation',
  done: 'Invitation accepted.',
  description:
    'Adds the signed-in person; or, with a `password`, creates an account with the address of the invitation and signs in. ' +
    'A person who already has an account signs in first.',
  access: 'public',
  ownOrigin: true,
  surfaces: ['http'],
  effect: 'create',
  path: { token },
  input: {
    password: optional(newPassword),
    name: optional(
      Name({ minLength: 0, maxLength: 100, description: 'Display name of the new member. Empty: the e-mail address is shown instead.' }),
    ),
  },
  output: Member,
  secrets: ['token', 'password'],
  form: { page: 'GET /invitations/{token}', after: () => '/' },
  examples: [{ input: { token: '{{invitation_link}}', password: 'correct horse battery', name: 'Grace' } }],
  async prepare({ store, input, config, now, request }) {
    const invitation: FoundInvitation = (await findInvitation(store.read, input.token, now)) ?? fail('invalid_state', invitationEnded)
    const { password } = input
    const who = await sessionShown({ db: store.read, config, now, request })
    if (password === undefined) {
      if (who?.withoutAccount) fail('reauthentication_required', bySso)
      if (who === undefined) failWith([{ pointer: '/password', code: 'required', message: m.password_or_sign_in_required() }])
      return { invitation, person: who, hashed: undefined }
    }
    const { workspace_id: workspaceId, email } = invitation
    failWith(await passwordFaults(password, await namesAbout({ db: store.read, config, workspaceId, also: [email, input.name] })))
    return { invitation, person: undefined, hashed: await hashPassword(password) }
  },
  adds: ({ invitation }) => ({ quota: 'members', workspaceId: invitation.workspace_id }),
  async run({ invitation, person, hashed, input, ...services }) {
    const { db, emit } = services
    const { workspace_id: workspaceId, role } = invitation
    await workspace.lock?.(db, workspaceId)
    // Checked again, because the inviter may have lost the permission meanwhile.
    if (!(await findInvitation(db, input.token, services.now))) fail('invalid_state', invitationEnded)
    const taken = await db
      .deleteFrom('invitations')
      .where('id', '=', invitation.id)
      .where('hash', '=', invitation.hash)
      .returning('id')
      .executeTakeFirst()
    if (!taken) fail('invalid_state', invitationEnded)
    const accountId = person?.accountId ?? (await newAccount(services, { invitation, hashed: hashed ?? '', name: input.name }))
    if (person && invitation.isMailed && person.email === invitation.email) await noteVerified(services, accountId)
    const known = await db
      .selectFrom('members')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (known) fail('already_exists', m.already_a_member())
    const id = await addMember(db, services, { workspaceId, accountId, role: among(roleNames, role) })
    const member = toMember(await members(db).where('m.id', '=', id).executeTakeFirstOrThrow())
    await emit(member_added, { workspaceId, siteId: null, data: { member, via: 'invite' } })
    await auditPerson(db, {
      ...services,
      operation: 'invitations_accept',
      accountId,
      actor: member.email,
      door: 'link',
      outcome: 'done',
      subjectId: id,
      about: { invitation: invitation.id, email: invitation.email, role },
    })
    if (!person) await startSession(services, { accountId, method: 'link' })
    return member
  },
})

type AccountServices = Parameters<typeof addAccount>[1] &
  Parameters<typeof proveAddress>[0] & { readonly request: { header(name: string): string | undefined } }

/**
 * Creates an account for the invited address. A link that is shown to the inviter proves nothing about the address: the inviter could follow it.
 * @throws Failure `invalid_state` if another account has the address: a link must not open an existing account
 */
async function newAccount(
  services: AccountServices,
  { invitation: { email, isMailed }, hashed, name }: { invitation: FoundInvitation; hashed: string; name: string | undefined },
): Promise<string> {
  const { db, now } = services
  const locale = localeBy(services.request.header('accept-language'))
  const accountId =
    (await addAccount(db, services, { email, name, locale, provedBy: isMailed ? 'mailbox' : undefined })) ?? (await lockUnused(db, email))
  if (accountId === undefined) return fail('invalid_state', m.sign_in_first())
  if (isMailed) await proveAddress(services, accountId, 'mailbox')
  await keepPassword(db, { accountId, hashed, now })
  return accountId
}
