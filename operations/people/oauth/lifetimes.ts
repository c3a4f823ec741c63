/** Lifetimes of OAuth codes, tokens and clients, ms (docs/decisions.md §8). */
import { DAY_MS, HOUR_MS } from '../../../storage/values/durations.ts'

export const codeMs = 60_000
/** How long codes are kept after they expire: a second use of a code revokes the tokens that it was exchanged for. */
export const codeMemoryMs = DAY_MS
export const accessMs = HOUR_MS
/** Lifetime of a refresh token, and so of an unused grant. */
export const grantMs = 30 * DAY_MS
/** Longest lifetime of a grant, however often it is used. After it, the person consents again. */
export const connectionMs = 365 * DAY_MS
/** Lifetime of a registered client without consent. */
export const registrationMs = 7 * DAY_MS
/** Lifetime of a client with consent; longer than any of its grants. */
export const usedClientMs = 90 * DAY_MS
