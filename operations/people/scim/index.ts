/** The part of this area that others may use. */
export { issueScimToken, revokeScimTokens } from './issue.ts'
