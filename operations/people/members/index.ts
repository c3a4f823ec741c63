/** What other areas may use of this one. */
export { addMember } from './add.ts'
export { member_added } from './events.ts'
export { member_removing, member_suspended } from './hooks.ts'
export { removeMember, setActive } from './leave.ts'
export { keepAnOwner } from './ownership.ts'
