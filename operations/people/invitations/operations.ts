import { Type } from '@sinclair/typebox'
import { canonicalEmail } from '../../../runtime/values/email.ts'
import { lacks } from '../../../runtime/table/caller.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { permissionsOf, roleNames } from '../../../runtime/table/permissions.ts'
import type { Outcome } from '../../../runtime/table/outcome.ts'
import { OneOf, type Static } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import type { InvitationRow } from '../../../storage/tables/workspaces.ts'
import { workspace } from '../workspaces/records.ts'
import { goodMs, hashesOf, makeSecrets, MAX_OPEN, sent } from './invite.ts'
import { ids, Invitation, invitation, toInvitation } from './records.ts'
import { m } from './messages.ts'

export const invitations_list = list({
  route: 'GET /workspaces/{workspace_id}/invitations',
  summary: 'List invitations',
  place: 'people',
  empty: {
    says: 'People whom you invite by e-mail are listed here until they accept.',
    like: [['ada@example.com', '✉']],
  },
  description: 'Invitations that are not accepted yet, newest first.',
  access: 'members.manage',
  on: workspace,
  effect: 'read',
  input: {},
  of: Invitation,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, page, now }) {
    const all = db.selectFrom('invitations').selectAll().where('workspace_id', '=', workspace.id)
    const { rows, total } = await pageOf(all.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(row => toInvitation(row, now)), total }
  },
})

export const invitations_get = operation({
  route: 'GET /workspaces/{workspace_id}/invitations/{id}',
  summary: 'Get an invitation',
  access: 'members.manage',
  on: [workspace, invitation],
  effect: 'read',
  input: {},
  output: Invitation,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{invitation}}' } }],
  run: ({ invitation, now }) => toInvitation(invitation, now),
})

/** The first sentence of the page with the link. */
const mailedOrNot = ({ email, mailed }: Static<typeof Invitation>): Outcome =>
  mailed ? { is: 'success', says: m.was_mailed({ email }) } : { is: 'neutral', says: m.not_mailed({ email }) }

export const invitations_create = operation({
  route: 'POST /workspaces/{workspace_id}/invitations',
  summary: 'Invite a person',
  linkedFrom: '/workspaces/{workspace_id}/members',
  description:
    'Returns a link once, to pass on. With a mail server, another link is mailed as well; only the mailed link proves that the address belongs ' +
    'to the person who opens it. Callers can give only roles whose permissions they have themselves.',
  access: 'members.manage',
  role: ({ input }) => (input.role === 'owner' ? 'owner' : undefined),
  denies: ({ caller, input }) => lacks(caller, permissionsOf(input.role)),
  on: locked(workspace),
  adds: 'invitations',
  effect: 'create',
  contacts: true,
  input: {
    email: Type.String({ format: 'email', description: 'Address of the person.' }),
    role: OneOf(roleNames, {
      default: 'viewer',
      description:
        'owner: everything; admin: everything except billing; editor: sites and content; analyst: reports, exports, content; viewer: reports; billing: invoices and payment.',
    }),
  },
  output: Invitation,
  secrets: ['url'],
  outcome: mailedOrNot,
  examples: [{ input: { workspace_id: '{{workspace}}', email: 'grace@example.com', role: 'editor' } }],
  async run({ workspace, caller, input, ...services }) {
    const { db, now, newId } = services
    const email = canonicalEmail(input.email)
    const of = db.selectFrom('invitations').selectAll().where('workspace_id', '=', workspace.id)
    const member = await db
      .selectFrom('members as m')
      .innerJoin('accounts as a', 'a.id', 'm.account_id')
      .select('m.id')
      .where('m.workspace_id', '=', workspace.id)
      .where('a.email', '=', email)
      .executeTakeFirst()
    if (member) fail('already_exists', m.member_has_this_address())
    const before = await of.where('email', '=', email).executeTakeFirst()
    if (before && before.expires_at > now) fail('already_exists', m.already_invited())
    if ((await countOf(of.where('expires_at', '>', now))) >= MAX_OPEN) fail('limit_reached', m.most_open_invitations({ most: MAX_OPEN }))
    if (before) await db.deleteFrom('invitations').where('id', '=', before.id).execute()
    const secrets = makeSecrets(services)
    const row: InvitationRow = {
      id: newId(ids.invitation),
      workspace_id: workspace.id,
      email,
      role: input.role,
      ...hashesOf(secrets),
      invited_by: caller.member.email,
      expires_at: now + goodMs,
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('invitations').values(row).execute()
    return toInvitation(row, now, await sent(services, { row, workspace: workspace.name }, secrets))
  },
})

export const invitations_resend = operation({
  route: 'POST /workspaces/{workspace_id}/invitations/{id}/resend',
  summary: 'Send an invitation again',
  label: 'Send again',
  done: 'Invitation sent again.',
  description: 'Returns a new link, valid for 7 days, and mails another one. The previous links stop working.',
  help: 'Creates a new link, valid for 7 days, and mails another one. The previous links stop working.',
  access: 'members.manage',
  role: ({ invitation }) => (invitation.role === 'owner' ? 'owner' : undefined),
  denies: ({ caller, invitation }) => lacks(caller, permissionsOf(invitation.role)),
  rate: 'costly',
  on: [locked(workspace), locked(invitation)],
  effect: 'update',
  contacts: true,
  input: {},
  output: Invitation,
  secrets: ['url'],
  outcome: mailedOrNot,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{invitation}}' } }],
  async run({ workspace, invitation, caller, ...services }) {
    const { db, now } = services
    const secrets = makeSecrets(services)
    const changed = { ...hashesOf(secrets), invited_by: caller.member.email, expires_at: now + goodMs, updated_at: now }
    await db.updateTable('invitations').set(changed).where('id', '=', invitation.id).execute()
    const row = { ...invitation, ...changed }
    return toInvitation(row, now, await sent(services, { row, workspace: workspace.name }, secrets))
  },
})

export const invitations_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/invitations/{id}',
  summary: 'Take an invitation back',
  done: 'Invitation taken back.',
  description: 'Invalidates its link.',
  access: 'members.manage',
  on: [locked(workspace), locked(invitation)],
  effect: 'delete',
  input: {},
  output: Invitation,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{invitation}}' } }],
  async run({ db, invitation, now }) {
    await db.deleteFrom('invitations').where('id', '=', invitation.id).execute()
    return toInvitation(invitation, now)
  },
})
