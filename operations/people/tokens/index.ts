/** The part of this area that others may use. */
export { reachFaults, reachOf } from './grant.ts'
export { issueToken, renewToken, revokeToken, type TokenGrant } from './issue.ts'
