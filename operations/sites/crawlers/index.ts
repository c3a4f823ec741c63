/** What other areas may use of this one: the collection counts the bots that run our script. */
export { verifier } from './addresses.ts'
export { type CrawlerCounter, crawlerCounter } from './count.ts'
export { crawlerOf } from './identify.ts'
export { CRAWLER_RANGES_FILE } from './settings.ts'
