/** Exports of this area for other areas. */
export { addAccount, findAccount, findOrAddAccount, speak } from './add.ts'
export { changeAddress, isPlaceholder } from './address.ts'
export { noteFactors } from './factors.ts'
export { m as accountMessages } from './messages.ts'
export { account_delete, account_email_confirm, account_update } from './operations.ts'
export { account_email_undo } from './undo-operation.ts'
export { claimAccount, isVerified, lockUnused, noteVerified, proveAddress } from './verified.ts'
export { localeBy } from './records.ts'
