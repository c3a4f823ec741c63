import { hook } from './hook.ts'

/**
 * Called when the holder of an e-mail address takes over an account that never verified the address. Each area removes what
 * was set up before, because another person may have done so: credentials, links, consents. It is a hook of the runtime,
 * because areas below the accounts take part.
 */
export const account_claimed = hook<{ readonly accountId: string }>('the holder of an address takes over its unverified account')
