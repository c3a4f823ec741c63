/** What other areas may use of this one: the collection counts the bots that run our script. */
export { verifier } from './addresses.ts'
export { type CrawlerCounter, crawlerCounter } from './count.ts'
/** Loaded when somebody asks: the list of all crawlers is half a megabyte. */
export const crawlerNames = async () => (await import('./identify.ts')).crawlerOf
export { CRAWLER_RANGES_FILE } from './settings.ts'
