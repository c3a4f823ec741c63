/** Records of single sign-on: members of a workspace sign in with an identity provider of their own. */
import { Type } from '@sinclair/typebox'
import type { Config } from '../../../runtime/settings/config.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { among, DateTime, iso, Nullable, OneOf, record, Sentence, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import type { WorkspaceRow } from '../../../storage/tables/index.ts'
import type { SsoConfigurationRow, SsoDomainRow } from '../../../storage/tables/sso.ts'
import { workspace } from '../workspaces/records.ts'
import { aboutCertificate } from './certificates.ts'
import { recordName, recordValue } from './proof.ts'
import { sentenceOf } from '../../../runtime/texts/message.ts'

export const ids = { sso_domain: idKind('dom_') }

export const protocols = ['saml', 'oidc'] as const
export const statuses = ['draft', 'testing', 'tested', 'active'] as const
export type Status = (typeof statuses)[number]
/** Roles that an identity provider can give; it cannot make owners. */
export const grantedRoles = ['admin', 'editor', 'analyst', 'viewer', 'billing'] as const

const Certificate = record(
  'SsoCertificate',
  {
    fingerprint: Type.String({ description: 'SHA-256 fingerprint, in hex with colons.' }),
    subject: Type.String({ description: 'Subject of the certificate.' }),
    expires_at: DateTime({ description: 'When the certificate expires.' }),
  },
  'The public details of a certificate.',
)

export const SsoConfiguration = record(
  'SsoConfiguration',
  {
    protocol: OneOf(protocols, { description: 'Protocol of the identity provider.' }),
    status: OneOf(statuses, { description: 'State of the configuration. Members can sign in with it while it is `active`.' }),
    enforced: Type.Boolean({ description: 'Whether members must use it to sign in. Owners are exempt.' }),
    domains: Type.Array(Type.String(), { description: 'Verified e-mail domains.' }),
    idp_sso_url: Nullable(Type.String(), { description: 'SAML: sign-in URL of the identity provider.' }),
    idp_entity_id: Nullable(Type.String(), { description: 'SAML: entity id of the identity provider, the issuer of its assertions.' }),
    idp_slo_url: Nullable(Type.String(), { description: 'SAML: logout URL of the identity provider (single logout).' }),
    idp_cert_present: Type.Boolean({ description: 'SAML: whether a signing certificate is stored. It is never returned.' }),
    oidc_issuer: Nullable(Type.String(), { description: 'OpenID Connect: issuer, whose discovery document is read.' }),
    oidc_client_id: Nullable(Type.String(), { description: 'OpenID Connect: client id.' }),
    oidc_client_secret_present: Type.Boolean({ description: 'OpenID Connect: whether a client secret is stored. It is never returned.' }),
    default_role: OneOf(grantedRoles, { description: 'Role of members whom a first sign-in or SCIM creates.' }),
    jit_provisioning: Type.Boolean({ description: 'Whether a person becomes a member when they sign in for the first time.' }),
    scim_enabled: Type.Boolean({ description: 'Whether there is a SCIM token.' }),
    idp_certificates: Type.Array(Certificate, {
      description: 'Signing certificates, newest first. There are two during a change of the certificate.',
    }),
    tested_at: Nullable(DateTime(), { description: 'When the last test succeeded.' }),
    test_error: Nullable(Sentence(), { description: 'Why the last test failed.' }),
    acs_url: Type.String({
      description: 'SAML, for the identity provider: assertion consumer service, also called reply or single sign-on URL.',
    }),
    sp_entity_id: Type.String({ description: 'SAML, for the identity provider: entity id of this service, also called audience.' }),
    slo_url: Type.String({ description: 'SAML, for the identity provider: single logout URL of this service.' }),
    sp_certificate: Nullable(Type.String(), {
      description: 'SAML, for the identity provider: certificate (PEM) that verifies logout messages.',
    }),
    metadata_url: Type.String({ description: 'SAML, for the identity provider: URL of metadata with these values.' }),
    oidc_logout_uri: Type.String({
      description: 'OpenID Connect, for the identity provider: back-channel logout URL.',
    }),
    oidc_redirect_uri: Type.String({ description: 'OpenID Connect, for the identity provider: redirect URI.' }),
    test_url: Type.String({ description: 'Page to open in a browser. It tests the configuration with a sign-in.' }),
    scim_url: Type.String({ description: 'For the identity provider: base URL of SCIM.' }),
  },
  'The single sign-on configuration of a workspace.',
)

export const SsoDomain = record(
  'SsoDomain',
  {
    id: Type.String({ description: 'Prefix `dom_`.' }),
    domain: Type.String({ description: 'Domain of the addresses: the part after the @.' }),
    status: OneOf(['pending', 'verified'], { description: 'State of the domain. Only a verified domain counts.' }),
    record_name: Type.String({ description: 'Name of the TXT record that verifies the domain.' }),
    record_value: Type.String({ description: 'Required value of that record.' }),
    verified_at: Nullable(DateTime(), { description: 'When the record was found.' }),
    checked_at: Nullable(DateTime(), { description: 'When the record was last looked up.' }),
    error: Nullable(Sentence(), { description: 'Why the last check failed, for example because another record was found.' }),
    created_at: DateTime({ description: 'When the domain was claimed.' }),
  },
  'An e-mail domain that a workspace claims.',
)

export const ScimToken = record(
  'ScimToken',
  {
    token: Nullable(Type.String(), { description: 'The secret. Only this response contains it.' }),
    token_prefix: Type.String({ description: 'First characters of the secret, to recognize the token.' }),
    scim_url: Type.String({ description: 'Base URL of SCIM, for the identity provider.' }),
    created_by: Type.String({ description: 'E-mail address of the member who created it.' }),
    created_at: DateTime({ description: 'When the token was created.' }),
  },
  'A token with which an identity provider provisions members.',
)

/** A workspace with its configuration, if it has one. */
export type Configured = WorkspaceRow & { readonly sso: SsoConfigurationRow | undefined }

export const findConfiguration = (db: Db, workspaceId: string): Promise<SsoConfigurationRow | undefined> =>
  db.selectFrom('sso_configurations').selectAll().where('workspace_id', '=', workspaceId).executeTakeFirst()

export const configured = subject<'workspace', Configured>({
  name: 'workspace',
  async find(db, id) {
    const found = await workspace.find(db, id)
    return found && { ...found, row: { ...found.row, sso: await findConfiguration(db, id) } }
  },
  async lock(db, id) {
    const row = await workspace.lock?.(db, id)
    return row && { ...row, sso: await findConfiguration(db, id) }
  },
})

export const sso_domain = subject<'sso_domain', SsoDomainRow>({
  name: 'sso_domain',
  calledBy: 'domain',
  async find(db, id) {
    const row = await db.selectFrom('sso_domains').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
})

/** The status, in which an unfinished test counts only until it times out. */
export function statusOf({ status, testing_until }: Pick<SsoConfigurationRow, 'status' | 'testing_until'>, now: number): Status {
  return status === 'testing' && (testing_until ?? 0) <= now ? 'draft' : among(statuses, status)
}

/** Owners can link their accounts before or after the activation. */
export const canLink = (row: SsoConfigurationRow, now: number): boolean => ['tested', 'active'].includes(statusOf(row, now))

/** A version that changes with every update. */
export const versionOf = ({ updated_at }: Pick<SsoConfigurationRow, 'updated_at'>): string => String(updated_at)

/** The configuration of a workspace that has never changed it. */
export function draftOf(workspaceId: string, now: number): SsoConfigurationRow {
  return {
    workspace_id: workspaceId,
    protocol: 'saml',
    status: 'draft',
    enforced: 0,
    idp_sso_url: null,
    idp_entity_id: null,
    idp_slo_url: null,
    sp_key: null,
    sp_certificate: null,
    idp_certs: '[]',
    oidc_issuer: null,
    oidc_client_id: null,
    oidc_client_secret: null,
    default_role: 'viewer',
    jit_provisioning: 1,
    scim_enabled: 0,
    testing_until: null,
    tested_at: null,
    test_error: null,
    created_at: now,
    updated_at: now,
  }
}

export function certificatesOf({ idp_certs }: SsoConfigurationRow): string[] {
  return JSON.parse(idp_certs) // written by change.ts as a list of strings
}

export async function verifiedDomains(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('sso_domains')
    .select('domain')
    .where('workspace_id', '=', workspaceId)
    .where('verified_at', 'is not', null)
    .orderBy('domain')
    .execute()
  return rows.map(({ domain }) => domain)
}

/** URLs of a workspace's single sign-on, for browsers and for its identity provider. */
export function addressesOf(workspaceId: string, { BASE_URL }: Pick<Config, 'BASE_URL'>) {
  const own = `${BASE_URL}/workspaces/${workspaceId}/sso`
  return {
    acs_url: `${BASE_URL}/sso/saml/${workspaceId}/acs`,
    sp_entity_id: `${own}/metadata`,
    slo_url: `${BASE_URL}/sso/saml/${workspaceId}/logout`,
    metadata_url: `${own}/metadata`,
    oidc_redirect_uri: `${BASE_URL}/sso/oidc/callback`,
    oidc_logout_uri: `${BASE_URL}/sso/oidc/${workspaceId}/logout`,
    test_url: `${own}/test`,
    scim_url: `${BASE_URL}/scim/v2`,
  }
}

export async function toConfiguration(
  db: Db,
  row: SsoConfigurationRow,
  { config, now }: { config: Pick<Config, 'BASE_URL'>; now: number },
): Promise<Static<typeof SsoConfiguration>> {
  const certificates = certificatesOf(row)
  return {
    protocol: among(protocols, row.protocol),
    status: statusOf(row, now),
    enforced: row.enforced === 1,
    domains: await verifiedDomains(db, row.workspace_id),
    idp_sso_url: row.idp_sso_url,
    idp_entity_id: row.idp_entity_id,
    idp_slo_url: row.idp_slo_url,
    sp_certificate: row.sp_certificate,
    idp_cert_present: certificates.length > 0,
    oidc_issuer: row.oidc_issuer,
    oidc_client_id: row.oidc_client_id,
    oidc_client_secret_present: row.oidc_client_secret !== null,
    default_role: among(grantedRoles, row.default_role),
    jit_provisioning: row.jit_provisioning === 1,
    scim_enabled: row.scim_enabled === 1,
    idp_certificates: certificates.map(pem => {
      const about = aboutCertificate(pem)
      return { ...about, expires_at: iso(about.expires_at) }
    }),
    tested_at: iso(row.tested_at),
    test_error: row.test_error === null ? null : sentenceOf(row.test_error),
    ...addressesOf(row.workspace_id, config),
  }
}

export function toDomain(row: SsoDomainRow): Static<typeof SsoDomain> {
  return {
    id: row.id,
    domain: row.domain,
    status: row.verified_at === null ? 'pending' : 'verified',
    record_name: recordName(row.domain),
    record_value: recordValue(row.proof),
    verified_at: iso(row.verified_at),
    checked_at: iso(row.checked_at),
    error: row.check_error === null ? null : sentenceOf(row.check_error),
    created_at: iso(row.created_at),
  }
}
