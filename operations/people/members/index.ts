/** Exports of this area for other areas. */
export { addMember } from './add.ts'
export { comeIn, renameAwaited } from './join.ts'
export { member_added } from './events.ts'
export { member_removing, member_suspended, role_changed } from './hooks.ts'
export { removeMember, setActive } from './leave.ts'
export { isOwnAddress } from './own-address.ts'
export { keepAnOwner } from './ownership.ts'
export { isOpenTo, isShutOut } from './shut-out.ts'
