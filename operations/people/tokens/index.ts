/** What other areas may use of this one. */
export { issueToken, type TokenGrant } from './issue.ts'
