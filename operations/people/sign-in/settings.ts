/** Limits on sign-ins, and whether people may sign up. */
import { setting, whole } from '../../../runtime/settings/setting.ts'

export const SIGN_IN_TRIES = setting({
  default: '10',
  description: 'Failed sign-ins in 15 minutes to one account from one IP address (an IPv6 address counts as its /64); 0 = no limit',
  ...whole(0, 1_000_000),
})
export const SIGN_IN_TRIES_ACCOUNT = setting({
  default: '100',
  description: 'Failed sign-ins in 15 minutes to one account from any address, after which its password is not accepted; 0 = no limit',
  ...whole(0, 1_000_000),
})
export const SIGN_IN_TRIES_ADDRESS = setting({
  default: '100',
  description: 'Failed sign-ins in 15 minutes from one IP address (an IPv6 address counts as its /64) to any accounts; 0 = no limit',
  ...whole(0, 1_000_000),
})
export const SIGN_UP = setting<'off' | 'open'>({
  default: 'off',
  description: '`open`: anyone can create an account with a workspace by opening a mailed link (needs `SMTP_URL`); `off`: by invitation',
  parse: text => (text === 'off' || text === 'open' ? text : undefined),
  wants: '"off" or "open"',
})
