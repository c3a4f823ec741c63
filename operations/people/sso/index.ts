export { activeFor, isSsoEnforced } from './find.ts'
export { sso_enforced, sso_unlinked } from './hooks.ts'
