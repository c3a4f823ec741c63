/** Exports of this area for other areas. */
export { code, recoveryCode } from './records.ts'
export { endTotp, hasTotp, recoveryCodes, recoveryCodesOf, takeCode, takeRecoveryCode } from './totp.ts'
