/** The part of this area that others may use. */
export { code, recoveryCode } from './records.ts'
export { endTotp, hasTotp, recoveryCodes, recoveryCodesOf, takeCode, takeRecoveryCode } from './totp.ts'
