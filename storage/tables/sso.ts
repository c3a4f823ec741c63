/** Single sign-on of a workspace: its identity provider, and the e-mail domains it has proved to be its own. */

export interface SsoConfigurationRow {
  workspace_id: string
  protocol: string
  status: string
  enforced: number
  idp_sso_url: string | null
  idp_entity_id: string | null
  /** PEM, the newest first, two at most; JSON list. */
  idp_certs: string
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
  /** What was wrong in the last test. */
  test_error: string | null
  created_at: number
  updated_at: number
}

export interface SsoDomainRow {
  id: string
  workspace_id: string
  domain: string
  /** What the TXT record has to say. */
  proof: string
  verified_at: number | null
  checked_at: number | null
  /** What was found instead, at the last check. */
  check_error: string | null
  created_at: number
}

declare module './index.ts' {
  interface Tables {
    sso_configurations: SsoConfigurationRow
    sso_domains: SsoDomainRow
  }
}
