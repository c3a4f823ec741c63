import { Type } from '@sinclair/typebox'
import { fail } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { proofInput } from '../../../runtime/table/prover.ts'
import { DateTime, iso, Nullable, record, type Static } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import type { SsoIdentityRow } from '../../../storage/tables/sso-logins.ts'
import { linkedIdentity, unlinkIdentity } from './link-identity.ts'
import { destinationOf } from './logins.ts'
import { forwarding } from './pages.tsx'
import { SsoRefusal } from './reasons.ts'
import { canLink, configured, draftOf, versionOf } from './records.ts'
import { keepRequest, newRequestId, requestMs, secretFor } from './requests.ts'
import { mailOwners } from './trust-changes.ts'
import { m } from './messages.ts'

const SsoLink = record(
  'SsoLink',
  {
    linked: Type.Boolean({ description: 'Whether the person has linked their account to the identity provider.' }),
    issuer: Nullable(Type.String(), { description: 'Issuer of the identity provider.' }),
    subject: Nullable(Type.String(), { description: 'Subject of the person at the identity provider: NameID or `sub`.' }),
    linked_at: Nullable(DateTime(), { description: 'When the account was linked.' }),
    last_used_at: Nullable(DateTime(), { description: 'Time of the last sign-in with it.' }),
  },
  'The link between the account of an owner and the identity provider of their workspace.',
)

const SsoLinking = record(
  'SsoLinking',
  {
    url: Type.String({ description: 'URL to open in the browser to sign in.' }),
    expires_at: DateTime({ description: 'Time by which the sign-in must be finished.' }),
  },
  'The start of a link.',
)

export const sso_link_get = operation({
  route: 'GET /workspaces/{workspace_id}/sso/link',
  summary: 'Get the link of your account to the identity provider',
  title: 'Link to the identity provider',
  place: 'aside',
  description: 'Owners can use single sign-on only with an identity that they have linked. Other members need no link.',
  access: 'session',
  on: configured,
  surfaces: ['http'],
  effect: 'read',
  input: {},
  output: SsoLink,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  run: async ({ db, workspace, caller }) =>
    toLink(await linkedIdentity(db, { workspaceId: workspace.id, accountId: caller.member.accountId })),
})

export const sso_link = operation({
  route: 'POST /workspaces/{workspace_id}/sso/link',
  summary: 'Link your account to the identity provider',
  done: 'Linking the account started.',
  description:
    'For owners who signed in with a password or a passkey. The browser signs in at the identity provider. From then on, the ' +
    'returned identity can sign in as this owner. The other owners get a mail.',
  access: 'session',
  proof: true,
  ofPerson: true,
  role: 'owner',
  on: locked(configured),
  surfaces: ['http'],
  effect: 'update',
  input: { ...proofInput },
  output: SsoLinking,
  form: { page: 'GET /workspaces/{workspace_id}/sso/link', after: ({ url }: { url: string }, _, say) => forwarding(url, say) },
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async prepare({ store, workspace: { id: workspaceId, sso }, request, config, random, use, now }) {
    const row = sso ?? draftOf(workspaceId, now)
    if (!canLink(row, now)) fail('invalid_state', m.linked_only_while_tested())
    const id = newRequestId(random)
    const { secret, cookie } = secretFor(request, config, random)
    try {
      return { asking: { id, secret, cookie, row, url: await destinationOf(store.read, { machine: { config, use }, row, id, secret }) } }
    } catch (thrown) {
      return thrown instanceof SsoRefusal ? fail('invalid_state', thrown.sentence) : Promise.reject(thrown)
    }
  },
  async run({ db, caller, now, setCookie, asking }) {
    const { accountId } = caller.member
    await keepRequest(db, { ...asking, isTest: false, next: versionOf(asking.row), accountId, now })
    setCookie(asking.cookie)
    return { url: asking.url, expires_at: iso(now + requestMs) }
  },
})

export const sso_unlink = operation({
  route: 'DELETE /workspaces/{workspace_id}/sso/link',
  summary: 'Unlink your account from the identity provider',
  done: 'Account unlinked.',
  description: 'Ends the sessions that the identity provider began for the person, and the tokens that were created in them.',
  access: 'session',
  on: locked(configured),
  surfaces: ['http'],
  effect: 'delete',
  input: {},
  output: SsoLink,
  form: { page: 'GET /workspaces/{workspace_id}/sso/link', after: (_, __) => '/account' },
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run(services) {
    const { db, now, workspace, caller, note, emit } = services
    const whose = { workspaceId: workspace.id, accountId: caller.member.accountId }
    const linked = await linkedIdentity(db, whose)
    if (linked) {
      await unlinkIdentity({ db, now, emit }, whose)
      const changes = { owner_link: { before: linked.subject, after: null } }
      note({ changes })
      await mailOwners(services, changes)
    }
    return toLink(undefined)
  },
})

function toLink(row: SsoIdentityRow | undefined): Static<typeof SsoLink> {
  return {
    linked: row !== undefined,
    issuer: row?.issuer ?? null,
    subject: row?.subject ?? null,
    linked_at: iso(row?.linked_at ?? null),
    last_used_at: iso(row?.last_used_at ?? null),
  }
}
