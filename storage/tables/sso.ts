/** Single sign-on of a workspace: its identity provider, and its verified e-mail domains. */
import { text, instant, flag, json, reference, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const sso_configurations = table(
  {
    workspace_id: reference('workspaces'),
    protocol: text,
    status: text,
    enforced: flag,
    idp_sso_url: nullable(text),
    idp_entity_id: nullable(text),
    /** The address that receives messages about a sign-out. */
    idp_slo_url: nullable(text),
    /** JSON list of at most two certificates in PEM, the newest first. */
    idp_certs: json,
    /** The private key that signs messages about a sign-out: PKCS #8 in PEM, sealed. */
    sp_key: nullable(text),
    /** PEM. */
    sp_certificate: nullable(text),
    oidc_issuer: nullable(text),
    oidc_client_id: nullable(text),
    /** Sealed. */
    oidc_client_secret: nullable(text),
    default_role: text,
    jit_provisioning: flag,
    scim_enabled: flag,
    /** End of the running test; null if none runs. */
    testing_until: nullable(instant),
    tested_at: nullable(instant),
    /** The error of the last test. */
    test_error: nullable(text),
    created_at: instant,
    updated_at: instant,
  },
  { key: ['workspace_id'] },
)
export type SsoConfigurationRow = Row<typeof sso_configurations>

export const sso_domains = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    domain: text,
    /** The required text of the TXT record. */
    proof: text,
    verified_at: nullable(instant),
    checked_at: nullable(instant),
    /** The text found instead at the last check. */
    check_error: nullable(text),
    created_at: instant,
  },
  {
    unique: [['workspace_id', 'domain']],
    indexes: [{ name: 'sso_domains_verified', on: ['domain'], unique: true, where: 'verified_at is not null' }],
  },
)
export type SsoDomainRow = Row<typeof sso_domains>
