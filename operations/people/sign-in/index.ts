/** What other areas may use of this one. */
export { hashPassword, isPassword, least, newPassword, passwordFaults, typedPassword } from './password.ts'
export { keepPassword } from './store.ts'
