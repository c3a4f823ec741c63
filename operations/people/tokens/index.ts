/** Exports of this area for other areas. */
export { reachFaults, reachOf } from './grant.ts'
export { issueToken, renewToken, revokeToken, revokeTokensBySso, type TokenGrant } from './issue.ts'
