/** What other areas may use of this one. */
export { sso_enforced } from './hooks.ts'
