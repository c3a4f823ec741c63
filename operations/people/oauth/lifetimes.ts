/** How long everything is good, ms (docs/decisions.md §8). */
const DAY = 86_400_000

export const codeMs = 60_000
/** Codes stay so long after their end: a second use of one ends what the first was exchanged for. */
export const codeMemoryMs = DAY
export const accessMs = 3_600_000
/** A refresh token, and so a grant that is not used. */
export const grantMs = 30 * DAY
/** However much it is used: then its person consents again. */
export const connectionMs = 365 * DAY
/** A client that registers and that nobody consents to is forgotten. */
export const registrationMs = 7 * DAY
/** One that somebody has consented to stays longer than any grant of it. */
export const usedClientMs = 90 * DAY
