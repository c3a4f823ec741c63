/** What other areas may use of this one. */
export { reachFaults, reachOf } from './grant.ts'
export { issueToken, renewToken, revokeToken, type TokenGrant } from './issue.ts'
