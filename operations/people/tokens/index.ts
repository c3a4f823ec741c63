/** What other areas may use of this one. */
export { reachOf } from './grant.ts'
export { issueToken, type TokenGrant } from './issue.ts'
