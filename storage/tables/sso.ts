/** Single sign-on of a workspace: its identity provider, and the e-mail domains it has proved to be its own. */
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
    /** The address at which it is told that somebody signs out. */
    idp_slo_url: nullable(text),
    /** PEM, the newest first, two at most; JSON list. */
    idp_certs: json,
    /** The private key for messages about signing out: PKCS #8 in PEM, sealed. */
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
    /** While a test is under way: when it ends. */
    testing_until: nullable(instant),
    tested_at: nullable(instant),
    /** The fault that the last test found. */
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
