/** Lifetimes of OAuth codes, tokens and clients, ms (docs/decisions.md §8). */
const DAY = 86_400_000

export const codeMs = 60_000
/** How long codes are kept after they expire: a second use of a code revokes the tokens that it was exchanged for. */
export const codeMemoryMs = DAY
export const accessMs = 3_600_000
/** Lifetime of a refresh token, and so of an unused grant. */
export const grantMs = 30 * DAY
/** Longest lifetime of a grant, however often it is used. After it, the person consents again. */
export const connectionMs = 365 * DAY
/** Lifetime of a registered client without consent. */
export const registrationMs = 7 * DAY
/** Lifetime of a client with consent; longer than any of its grants. */
export const usedClientMs = 90 * DAY
