import { hook } from './hook.ts'

/**
 * Whoever made this account never proved its address; now the holder of the address does. Each area ends what was set up before,
 * as it may be another person's: credentials, links, consents. A hook of the runtime, as areas under the account's end something, too.
 */
export const account_claimed = hook<{ readonly accountId: string }>('the holder of an address takes over its unverified account')
