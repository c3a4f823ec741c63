/** Changes a configuration, and its state accordingly (docs/decisions.md §7). */
import { fail, failWith, type Fault } from '../../../runtime/table/errors.ts'
import { flag } from '../../../runtime/table/schema.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import { certificatesIn, joined } from './certificates.ts'
import { certificatesOf, statusOf } from './records.ts'
import { m } from './messages.ts'
import { fieldTerm, valueTerm } from '../../../runtime/texts/message.ts'

export interface Change {
  readonly protocol?: string | undefined
  readonly idp_sso_url?: string | null | undefined
  readonly idp_entity_id?: string | null | undefined
  readonly idp_slo_url?: string | null | undefined
  /** Set when single logout is set up and there is no key that can be decrypted. */
  readonly signing?: { readonly sp_key: string; readonly sp_certificate: string } | undefined
  readonly idp_cert?: string | null | undefined
  /** Whether only the newest certificate, or the given ones, stay. */
  readonly withdraw_former_cert?: boolean | undefined
  readonly oidc_issuer?: string | null | undefined
  readonly oidc_client_id?: string | null | undefined
  /** Encrypted; null removes it. */
  readonly oidc_client_secret?: string | null | undefined
  readonly default_role?: string | undefined
  readonly jit_provisioning?: boolean | undefined
  readonly enforced?: boolean | undefined
}

/** Tested fields: they cannot change while the configuration is active. */
const connection = ['protocol', 'idp_sso_url', 'idp_entity_id', 'oidc_issuer', 'oidc_client_id'] as const

/**
 * Returns the row after the change.
 * @throws Failure `validation_failed` for certificates, `invalid_state` for a change that the state does not allow
 */
export function changed(before: SsoConfigurationRow, change: Change, now: number): SsoConfigurationRow {
  const status = statusOf(before, now)
  const cleared = (value: string | null | undefined, kept: string | null) => (value === undefined ? kept : value || null)
  const after = {
    ...before,
    status,
    protocol: change.protocol ?? before.protocol,
    idp_sso_url: cleared(change.idp_sso_url, before.idp_sso_url),
    idp_entity_id: cleared(change.idp_entity_id, before.idp_entity_id),
    idp_slo_url: cleared(change.idp_slo_url, before.idp_slo_url),
    ...change.signing,
    idp_certs: JSON.stringify(certificatesAfter(before, change, now)),
    oidc_issuer: cleared(change.oidc_issuer, before.oidc_issuer),
    oidc_client_id: cleared(change.oidc_client_id, before.oidc_client_id),
    oidc_client_secret: cleared(change.oidc_client_secret, before.oidc_client_secret),
    default_role: change.default_role ?? before.default_role,
    jit_provisioning: flag(change.jit_provisioning) ?? before.jit_provisioning,
    enforced: flag(change.enforced) ?? before.enforced,
    updated_at: now,
  }
  const moved = connection.filter(field => after[field] !== before[field])
  const secret = (['idp_certs', 'oidc_client_secret'] as const).filter(field => after[field] !== before[field])
  if (status === 'active') {
    if (moved.length > 0) fail('invalid_state', m.fixed_while_active({ fields: moved.map(fieldTerm) }))
    refuseWithout(after, secret)
  }
  // The secret goes to the servers of the issuer, so a caller who names another one must know it (docs/decisions.md §1).
  if (after.oidc_issuer !== null && after.oidc_issuer !== before.oidc_issuer && after.oidc_client_secret !== null)
    if (change.oidc_client_secret === undefined) failWith([secretMissing])
  if (after.enforced === 1 && before.enforced === 0 && status !== 'active')
    fail('invalid_state', m.enforced_needs_active({ status: valueTerm(status) }))
  const isTestedNoMore = status !== 'active' && moved.length + secret.length > 0
  return isTestedNoMore ? { ...after, status: 'draft', testing_until: null, tested_at: null, test_error: null } : after
}

const secretMissing: Fault = {
  pointer: '/oidc_client_secret',
  code: 'required',
  message: m.secret_required({ field: fieldTerm('oidc_client_secret'), changed: fieldTerm('oidc_issuer') }),
}

/** Refuses a change after which no member could sign in. */
function refuseWithout({ protocol, idp_certs }: SsoConfigurationRow, secret: readonly string[]): void {
  if (protocol === 'saml' && idp_certs === '[]' && secret.includes('idp_certs')) {
    fail('invalid_state', m.certificate_needed_while_active())
  }
}

function certificatesAfter(before: SsoConfigurationRow, { idp_cert: given, withdraw_former_cert }: Change, now: number): string[] {
  const stored = certificatesOf(before)
  const kept = withdraw_former_cert ? stored.slice(0, given === undefined ? 1 : 0) : stored
  if (given === undefined) return kept
  if (given === null || given.trim() === '') return []
  const { certificates, faults } = certificatesIn(given, now)
  failWith(faults)
  return joined(certificates, kept)
}

/** Fields that a connection still needs before it can be tested. */
export function lacking(row: SsoConfigurationRow): string[] {
  const needed: readonly (keyof SsoConfigurationRow)[] =
    row.protocol === 'saml' ? ['idp_sso_url', 'idp_entity_id'] : ['oidc_issuer', 'oidc_client_id']
  const missing: string[] = needed.filter(field => row[field] === null)
  return row.protocol === 'saml' && row.idp_certs === '[]' ? [...missing, 'idp_cert'] : missing
}
