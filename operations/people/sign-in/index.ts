/** Exports of this area for other areas. */
export { namesAbout } from './names.ts'
export { hashPassword, isPassword, MIN_PASSWORD_LENGTH, newPassword, passwordFaults, typedPassword } from './password.ts'
export { SIGN_UP } from './settings.ts'
export { keepPassword } from './store.ts'
