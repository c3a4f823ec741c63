/** What other areas may use of this one. */
export { addMember } from './add.ts'
export { keepAnOwner } from './ownership.ts'
