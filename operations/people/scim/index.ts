/** Exports of this area for other areas. */
export { issueScimToken, revokeScimTokens } from './issue.ts'
