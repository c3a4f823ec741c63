/** The part of this area that others may use. */
export { type SignedUp, signed_up } from './hooks.ts'
export { referralCookie } from './referral.ts'
