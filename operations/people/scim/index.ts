/** What other areas may use of this one. */
export { issueScimToken, revokeScimTokens } from './issue.ts'
