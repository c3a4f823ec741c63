import { Type } from '@sinclair/typebox'
import { bounds, type Caller } from '../../../runtime/table/caller.ts'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { urlFaults } from '../../../runtime/outbound/outbound.ts'
import { Clearable, fromFile, iso, OneOf, optional, shownWith } from '../../../runtime/table/schema.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { issueScimToken, revokeScimTokens } from '../scim/index.ts'
import { changed } from './change.ts'
import { sso_enforced } from './hooks.ts'
import { secretOf, signingKey } from './logins.ts'
import { maxDomains, setDomains } from './claim.ts'
import {
  addressesOf,
  configured,
  draftOf,
  grantedRoles,
  protocols,
  ScimToken,
  SsoConfiguration,
  statusOf,
  toConfiguration,
} from './records.ts'
import { save } from './save.ts'
import { changingTrust } from './trust-changes.ts'
import { lackOfTrust, type Trusting, trusting } from './trust.ts'
import { makeSigningKey } from './signing-key.ts'
import { m } from './messages.ts'
import { valueTerm } from '../../../runtime/texts/message.ts'

const managed = { access: 'workspace.manage' } as const
/** Access rules of operations that change which people the identity provider signs in. */
const trusted = {
  ...managed,
  fresh: 'session',
  on: locked(trusting),
  denies: ({ caller, workspace }: { readonly caller: Caller; readonly workspace: Trusting }) => lackOfTrust(caller, workspace),
} as const
const [ofSaml, ofOidc] = [
  { [shownWith]: { field: 'protocol', values: ['saml'] } },
  { [shownWith]: { field: 'protocol', values: ['oidc'] } },
] as const
const url = (of: typeof ofSaml | typeof ofOidc, description: string) =>
  optional(Clearable(Type.String({ maxLength: 2_000 }), { ...of, description }))
const text = (of: typeof ofSaml | typeof ofOidc, maxLength: number, description: string) =>
  optional(Clearable(Type.String({ maxLength }), { ...of, description }))

export const sso_get = operation({
  route: 'GET /workspaces/{workspace_id}/sso',
  summary: 'Get the single sign-on configuration',
  title: 'Single sign-on',
  place: 'sign_on',
  description:
    'Returns a draft without values for a workspace that has not configured it, too. Includes the URLs to enter at the identity provider.',
  ...managed,
  on: configured,
  effect: 'read',
  input: {},
  output: SsoConfiguration,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  run: ({ db, workspace, config, now }) => toConfiguration(db, workspace.sso ?? draftOf(workspace.id, now), { config, now }),
})

export const sso_update = operation({
  route: 'PATCH /workspaces/{workspace_id}/sso',
  summary: 'Change the single sign-on configuration',
  description:
    'Contacts no server: test the configuration in a browser (`test_url`). A changed field of the connection makes it a draft again. ' +
    'While it is active, only certificate and client secret can change. Keeps the newest two certificates, unless `withdraw_former_cert` is true. ' +
    'A domain counts once its TXT record was found (`sso_domains_verify`); a new domain in the list waits for that. Only owners can change `enforced`.',
  ...trusted,
  role: ({ workspace, input: { enforced } }) =>
    enforced === undefined || enforced === (workspace.sso?.enforced === 1) ? undefined : 'owner',
  denies: ({ caller, workspace, input }) => lackOfTrust(caller, workspace, input.default_role),
  effect: 'update',
  contacts: true,
  input: {
    protocol: optional(OneOf(protocols, { description: 'Protocol of the identity provider.' })),
    idp_sso_url: url(ofSaml, 'SAML: sign-in URL of the identity provider (HTTP-Redirect binding).'),
    idp_entity_id: text(ofSaml, 1_024, 'SAML: entity id of the identity provider, the issuer of its assertions.'),
    idp_slo_url: url(
      ofSaml,
      'SAML: logout URL of the identity provider (HTTP-Redirect binding). Sets up single logout. Can change at any time.',
    ),
    idp_cert: optional(
      Clearable(Type.String({ maxLength: 20_000, [fromFile]: '.pem,.crt,.cer,.txt' }), {
        ...ofSaml,
        description: 'SAML: X.509 signing certificate of the identity provider in PEM, or two of them. Write-only.',
      }),
    ),
    withdraw_former_cert: Type.Boolean({
      ...ofSaml,
      default: false,
      description:
        'SAML: withdraws the former certificate at once, for example because its key leaked. Only the certificates of `idp_cert` stay, or without it, the newest one.',
    }),
    oidc_issuer: url(ofOidc, 'OpenID Connect: issuer, as in its discovery document.'),
    oidc_client_id: text(ofOidc, 300, 'OpenID Connect: client id.'),
    oidc_client_secret: text(ofOidc, 1_000, 'OpenID Connect: client secret. Leave it out for a public client. Write-only.'),
    domains: optional(
      Type.Array(Type.String({ maxLength: 255 }), {
        maxItems: maxDomains,
        description: 'E-mail domains whose members sign in with the identity provider.',
      }),
    ),
    default_role: optional(OneOf(grantedRoles, { description: 'Role of members whom a first sign-in creates.' })),
    jit_provisioning: optional(Type.Boolean({ description: 'Whether a person becomes a member when they sign in for the first time.' })),
    enforced: optional(Type.Boolean({ description: 'Whether members must use it to sign in. Needs an active configuration.' })),
  },
  output: SsoConfiguration,
  secrets: ['oidc_client_secret', 'idp_cert'],
  examples: [
    {
      summary: 'SAML',
      input: {
        workspace_id: '{{workspace}}',
        protocol: 'saml',
        idp_sso_url: 'https://acme.okta.com/app/footfall/exk1/sso/saml',
        idp_entity_id: 'http://www.okta.com/exk1',
        default_role: 'analyst',
      },
    },
    {
      summary: 'OpenID Connect',
      input: {
        workspace_id: '{{workspace}}',
        protocol: 'oidc',
        oidc_issuer: 'https://accounts.google.com',
        oidc_client_id: '1234.apps.googleusercontent.com',
        oidc_client_secret: 'GOCSPX-example',
      },
    },
  ],
  async prepare({ db, use, workspace: { sso }, input, now }) {
    const needsKey = input.idp_slo_url && (!sso || (await signingKey(db, { use }, sso)) === null)
    return { made: needsKey ? await makeSigningKey(now) : undefined }
  },
  async run({ made, ...services }) {
    const { db, workspace, input, config, now, newId, random, use, emit } = services
    const { domains, oidc_client_secret: secret, ...rest } = input
    failWith(
      (['idp_sso_url', 'idp_slo_url', 'oidc_issuer'] as const).flatMap(name => (rest[name] ? urlFaults(rest[name], config, name) : [])),
    )
    const sealed = secret ? await use(secretBox).seal(db, secret, secretOf(workspace.id)) : secret
    const signing = made && { sp_key: await use(secretBox).seal(db, made.key, secretOf(workspace.id)), sp_certificate: made.certificate }
    const row = changed(workspace.sso ?? draftOf(workspace.id, now), { ...rest, oidc_client_secret: sealed, signing }, now)
    await changingTrust(services, async () => {
      if (domains) await setDomains({ db, now, newId, random }, workspace.id, domains)
      await save(db, row)
    })
    if (row.enforced === 1 && workspace.sso?.enforced !== 1) await emit(sso_enforced, { workspaceId: workspace.id })
    return toConfiguration(db, row, { config, now })
  },
})

export const sso_activate = operation({
  route: 'POST /workspaces/{workspace_id}/sso/activate',
  summary: 'Activate single sign-on',
  label: 'Activate',
  done: 'Single sign-on activated.',
  description: 'Activates a tested configuration. From then on, members sign in with it.',
  ...trusted,
  effect: 'update',
  contacts: true,
  offered: { status: ['tested'] },
  input: {},
  output: SsoConfiguration,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run(services) {
    const { db, workspace, config, now } = services
    const row = workspace.sso ?? draftOf(workspace.id, now)
    const status = statusOf(row, now)
    if (status !== 'tested') fail('invalid_state', m.activate_needs_test({ status: valueTerm(status) }))
    const active = { ...row, status: 'active', updated_at: now }
    await changingTrust(services, () => save(db, active))
    return toConfiguration(db, active, { config, now })
  },
})

export const sso_deactivate = operation({
  route: 'POST /workspaces/{workspace_id}/sso/deactivate',
  summary: 'Deactivate single sign-on',
  label: 'Deactivate',
  done: 'Single sign-on deactivated.',
  description: 'Makes the configuration a draft, and ends its enforcement. Members and the SCIM token stay.',
  ...trusted,
  role: ({ workspace }) => (workspace.sso?.enforced === 1 ? 'owner' : undefined),
  effect: 'update',
  discards: true,
  contacts: true,
  offered: { status: ['testing', 'tested', 'active'] },
  input: {},
  output: SsoConfiguration,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run(services) {
    const { db, workspace, config, now } = services
    const draft = {
      ...(workspace.sso ?? draftOf(workspace.id, now)),
      status: 'draft',
      enforced: 0,
      testing_until: null,
      tested_at: null,
      test_error: null,
      updated_at: now,
    }
    if (workspace.sso) await changingTrust(services, () => save(db, draft))
    return toConfiguration(db, draft, { config, now })
  },
})

export const sso_scim_token = operation({
  route: 'POST /workspaces/{workspace_id}/sso/scim_token',
  summary: 'Generate a SCIM token',
  done: 'SCIM token generated.',
  description:
    'Creates the token with which the identity provider calls SCIM, in every state of the configuration. Revokes the previous one. Only this response contains the secret.',
  help: 'The identity provider calls SCIM with this token, in every state of the configuration. It revokes the previous one. Its secret is shown once.',
  ...trusted,
  denies: ({ caller, workspace }) => bounds(caller) ?? lackOfTrust(caller, workspace),
  surfaces: ['http'],
  effect: 'update',
  input: {},
  output: ScimToken,
  secrets: ['token'],
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run(services) {
    const { db, workspace, caller, config, now, random } = services
    const { id, sso } = workspace
    const { row, token } = await changingTrust(services, async () => {
      await save(db, { ...(sso ?? draftOf(id, now)), scim_enabled: 1, updated_at: now })
      return issueScimToken({ db, now, random }, { workspaceId: id, createdBy: caller.member.email })
    })
    return {
      token,
      token_prefix: row.token_prefix,
      scim_url: addressesOf(id, config).scim_url,
      created_by: row.created_by,
      created_at: iso(now),
    }
  },
})

export const sso_scim_revoke = operation({
  route: 'DELETE /workspaces/{workspace_id}/sso/scim_token',
  summary: 'Revoke the SCIM token',
  done: 'SCIM token revoked.',
  description: 'Ends provisioning; members stay. Revoking again has no effect.',
  ...trusted,
  surfaces: ['http'],
  effect: 'delete',
  offered: { scim_enabled: [true] },
  input: {},
  output: SsoConfiguration,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run(services) {
    const { db, workspace, config, now } = services
    const { id, sso } = workspace
    const row = { ...(sso ?? draftOf(id, now)), scim_enabled: 0, updated_at: now }
    await changingTrust(services, async () => {
      await revokeScimTokens({ db, now }, id)
      if (sso) await save(db, row)
    })
    return toConfiguration(db, row, { config, now })
  },
})
