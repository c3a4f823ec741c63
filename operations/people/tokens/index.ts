/** The part of this area that others may use. */
export { reachFaults, reachOf } from './grant.ts'
export { issueToken, renewToken, revokeToken, revokeTokensBySso, type TokenGrant } from './issue.ts'
