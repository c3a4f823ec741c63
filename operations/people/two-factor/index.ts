/** What other areas may use of this one. */
export { code, recoveryCode } from './records.ts'
export { endTotp, hasTotp, takeCode, takeRecoveryCode } from './totp.ts'
