import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Crawlers',
  description: 'Crawlers and the pages that they read, spoofed crawlers, and visits that AI sends back.',
  manual: '/documentation/crawlers',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    crawlers_list:
      'which bots, AI crawlers, GPTBot, Googlebot, does ChatGPT read my site, crawl statistics, fake Googlebot, spoofed bots, ClaudeBot',
    crawlers_get: 'what does GPTBot read, requests of a crawler over time',
    crawlers_pages: 'pages read by AI, pages that are never crawled, not indexed, visits from AI assistants by page',
    crawlers_robots: 'robots.txt, block AI crawlers, keep bots out, what does blocking cost',
  },
})
