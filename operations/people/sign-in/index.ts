/** What other areas may use of this one. */
export { hashPassword, least, newPassword, passwordFaults } from './password.ts'
export { keepPassword } from './store.ts'
