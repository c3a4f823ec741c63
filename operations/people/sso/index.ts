export { activeFor, isSsoEnforced } from './find.ts'
export { sso_enforced } from './hooks.ts'
