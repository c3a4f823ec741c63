/** What other areas may use of this one. */
export { addMember } from './add.ts'
export { member_added } from './events.ts'
export { keepAnOwner } from './ownership.ts'
