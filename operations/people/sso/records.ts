/** How members of a workspace sign in by an identity provider of their own. */
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
/** Nobody is made an owner by an identity provider. */
export const grantedRoles = ['admin', 'editor', 'analyst', 'viewer', 'billing'] as const

const Certificate = record(
  'SsoCertificate',
  {
    fingerprint: Type.String({ description: 'SHA-256 of it, in hex with colons.' }),
    subject: Type.String({ description: 'Whose it says it is.' }),
    expires_at: DateTime({ description: 'Until when it is valid.' }),
  },
  'The public details of a certificate.',
)

export const SsoConfiguration = record(
  'SsoConfiguration',
  {
    protocol: OneOf(protocols, { description: 'How the identity provider is asked.' }),
    status: OneOf(statuses, { description: 'Members sign in by it while it is `active`.' }),
    enforced: Type.Boolean({ description: 'Whether it is the only way to sign in; owners excepted.' }),
    domains: Type.Array(Type.String(), { description: 'Verified e-mail domains.' }),
    idp_sso_url: Nullable(Type.String(), { description: 'SAML: where the identity provider is asked.' }),
    idp_entity_id: Nullable(Type.String(), { description: 'SAML: its name, the issuer of its assertions.' }),
    idp_slo_url: Nullable(Type.String(), { description: 'SAML: the address that receives sign-outs (single logout).' }),
    idp_cert_present: Type.Boolean({ description: 'SAML: whether a signing certificate is stored. It is never returned.' }),
    oidc_issuer: Nullable(Type.String(), { description: 'OpenID Connect: the issuer, whose discovery document is read.' }),
    oidc_client_id: Nullable(Type.String(), { description: 'OpenID Connect: client id.' }),
    oidc_client_secret_present: Type.Boolean({ description: 'OpenID Connect: whether a client secret is stored. It is never returned.' }),
    default_role: OneOf(grantedRoles, { description: 'Role of members who come by sign-in or SCIM for the first time.' }),
    jit_provisioning: Type.Boolean({ description: 'Whether a person becomes a member when they sign in for the first time.' }),
    scim_enabled: Type.Boolean({ description: 'Whether there is a SCIM token.' }),
    idp_certificates: Type.Array(Certificate, {
      description: 'The signing certificates, the newest first: two while one takes over from the other.',
    }),
    tested_at: Nullable(DateTime(), { description: 'When the last test went well.' }),
    test_error: Nullable(Sentence(), { description: 'What was wrong in the last test.' }),
    acs_url: Type.String({
      description: 'SAML, for the identity provider: assertion consumer service, also called reply or single sign-on URL.',
    }),
    sp_entity_id: Type.String({ description: 'SAML, for the identity provider: entity id of this service, also called audience.' }),
    slo_url: Type.String({ description: 'SAML, for the identity provider: single logout URL of this service.' }),
    sp_certificate: Nullable(Type.String(), {
      description: 'SAML, for the identity provider: the certificate (PEM) that messages about signing out are signed with.',
    }),
    metadata_url: Type.String({ description: 'SAML, for the identity provider: both of these as metadata.' }),
    oidc_logout_uri: Type.String({
      description: 'OpenID Connect, for the identity provider: where it says that somebody signed out (back-channel logout).',
    }),
    oidc_redirect_uri: Type.String({ description: 'OpenID Connect, for the identity provider: where it sends people back to.' }),
    test_url: Type.String({ description: 'Opened in a browser, tests the configuration by a sign-in.' }),
    scim_url: Type.String({ description: 'For the identity provider: base address of SCIM.' }),
  },
  'Single sign-on of a workspace.',
)

export const SsoDomain = record(
  'SsoDomain',
  {
    id: Type.String({ description: 'Prefix `dom_`.' }),
    domain: Type.String({ description: 'The part of the addresses after the @.' }),
    status: OneOf(['pending', 'verified'], { description: 'Only a verified one counts.' }),
    record_name: Type.String({ description: 'Name of the TXT record that proves whose it is.' }),
    record_value: Type.String({ description: 'What that record has to say.' }),
    verified_at: Nullable(DateTime(), { description: 'When the record was seen.' }),
    checked_at: Nullable(DateTime(), { description: 'When it was last looked for.' }),
    error: Nullable(Sentence(), { description: 'What was found instead.' }),
    created_at: DateTime({ description: 'When it was claimed.' }),
  },
  'An e-mail domain that a workspace claims.',
)

export const ScimToken = record(
  'ScimToken',
  {
    token: Nullable(Type.String(), { description: 'The secret itself, in this answer only.' }),
    token_prefix: Type.String({ description: 'Its first characters, to recognise it.' }),
    scim_url: Type.String({ description: 'Base address of SCIM, for the identity provider.' }),
    created_by: Type.String({ description: 'E-mail address of the member who made it.' }),
    created_at: DateTime({ description: 'When it was made.' }),
  },
  'The token an identity provider provisions members with.',
)

/** A workspace with its configuration, where it has one. */
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
  async find(db, id) {
    const row = await db.selectFrom('sso_domains').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
})

/** A test that was begun and never ended is none. */
export function statusOf({ status, testing_until }: Pick<SsoConfigurationRow, 'status' | 'testing_until'>, now: number): Status {
  return status === 'testing' && (testing_until ?? 0) <= now ? 'draft' : among(statuses, status)
}

/** Owners link their accounts before the others come, or later. */
export const canLink = (row: SsoConfigurationRow, now: number): boolean => ['tested', 'active'].includes(statusOf(row, now))

/** Another one after every change. */
export const versionOf = ({ updated_at }: Pick<SsoConfigurationRow, 'updated_at'>): string => String(updated_at)

/** The configuration of a workspace that never changed anything. */
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
  return JSON.parse(idp_certs) // written by change.ts as a list of texts
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

/** The addresses of a workspace's single sign-on, for browsers and for its identity provider. */
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
