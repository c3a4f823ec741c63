/** Exports of this area for other areas: the collection counts bots that run our script, and reads user agents. */
export { verifier } from './addresses.ts'
export { crawlerCounter } from './count.ts'
/** Loaded on first use, because the list of all crawlers is half a megabyte. */
export const crawlerNames = async () => (await import('./identify.ts')).crawlerOf
export { CRAWLER_RANGES_FILE } from './settings.ts'
export { isBot } from './user-agents/bots.ts'
export { correctedDevice } from './user-agents/corrections.ts'
export { perUserAgent } from './user-agents/per-user-agent.ts'
export { logReader } from './formats/line-formats.ts'
export { MAX_BATCH_LINES, MAX_LINE_LENGTH } from './log-limits.ts'
export type { LoggedRequest } from './formats/request.ts'
