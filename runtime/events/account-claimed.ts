import { hook } from './hook.ts'

/**
 * Called when the holder of an e-mail address takes an account over: one that never verified the address, or one whose address
 * an attacker had changed, or one that only an identity provider answered for. Each area removes what another person may have set up: credentials, links, consents. It is a hook of
 * the runtime, because areas below the accounts take part.
 */
export const account_claimed = hook<{
  readonly accountId: string
  /**
   * Only what was set up at this time or later, epoch ms; undefined for everything. A password, sessions and known browsers have
   * no age that counts, because an attacker had them before.
   */
  readonly since?: number
  /** Whether an identity provider had proved the address before: what its sessions opened in its own workspace stays. */
  readonly isKnownToProvider?: true
}>('the holder of an address takes over its account')
