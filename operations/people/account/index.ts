/** The part of this area that others may use. */
export { addAccount, findAccount, findOrAddAccount, speak } from './add.ts'
export { changeAddress, isPlaceholder } from './address.ts'
export { noteFactors } from './factors.ts'
export { claimAccount, isVerified, lockUnused, noteVerified, proveAddress } from './verified.ts'
export { localeBy } from './records.ts'
