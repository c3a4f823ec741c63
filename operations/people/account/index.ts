/** What other areas may use of this one. */
export { findOrAddAccount } from './add.ts'
export { changeAddress } from './address.ts'
export { noteFactors } from './factors.ts'
