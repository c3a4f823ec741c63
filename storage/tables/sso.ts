/** Single sign-on of a workspace: its identity provider, and the e-mail domains it has proved to be its own. */

export interface SsoConfigurationRow {
  workspace_id: string
  protocol: string
  status: string
  enforced: number
  idp_sso_url: string | null
  idp_entity_id: string | null
  /** The address at which it is told that somebody signs out. */
  idp_slo_url: string | null
  /** PEM, the newest first, two at most; JSON list. */
  idp_certs: string
  /** The private key for messages about signing out: PKCS #8 in PEM, sealed. */
  sp_key: string | null
  /** PEM. */
  sp_certificate: string | null
  oidc_issuer: string | null
  oidc_client_id: string | null
  /** Sealed. */
  oidc_client_secret: string | null
  default_role: string
  jit_provisioning: number
  scim_enabled: number
  /** While a test is under way: when it ends. */
  testing_until: number | null
  tested_at: number | null
  /** The fault that the last test found. */
  test_error: string | null
  created_at: number
  updated_at: number
}

export interface SsoDomainRow {
  id: string
  workspace_id: string
  domain: string
  /** The required text of the TXT record. */
  proof: string
  verified_at: number | null
  checked_at: number | null
  /** The text found instead at the last check. */
  check_error: string | null
  created_at: number
}

declare module './index.ts' {
  interface Tables {
    sso_configurations: SsoConfigurationRow
    sso_domains: SsoDomainRow
  }
}
