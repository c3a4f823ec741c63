/** Limits of log lines, for commands that send them and operations that accept them. */

/** Longest line: no server writes longer ones. */
export const MAX_LINE_LENGTH = 16_000
/** Lines of a batch that counts visits: few enough to be processed at once, so that all of them are stored, or none. */
export const MAX_BATCH_LINES = 200
