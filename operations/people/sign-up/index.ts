/** Exports of this area for other areas. */
export { type SignedUp, signed_up } from './hooks.ts'
export { referralCookie } from './referral.ts'
