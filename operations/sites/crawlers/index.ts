/** Exports of this area for other areas: the collection counts bots that run our script. */
export { verifier } from './addresses.ts'
export { type CrawlerCounter, crawlerCounter } from './count.ts'
/** Loaded on first use, because the list of all crawlers is half a megabyte. */
export const crawlerNames = async () => (await import('./identify.ts')).crawlerOf
export { CRAWLER_RANGES_FILE } from './settings.ts'
