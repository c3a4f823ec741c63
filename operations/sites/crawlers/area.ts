import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'
import * as settings from './settings.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export default area({
  name: 'Crawler requests',
  section: 'Crawlers',
  description: 'Crawler requests, from log files of the site’s own server and from bots that run our script.',
  manual: '/documentation/crawlers',
  operations,
  views: () => import('./pages.tsx'),
  settings,
  tables: ['crawler_days', 'crawler_pages'],
  expiring: [
    { table: 'crawler_days', key: ['site_id', 'day', 'name'], from: 'last_at', afterMs: 400 * DAY_MS },
    { table: 'crawler_pages', key: ['site_id', 'day', 'name', 'path'], from: 'last_at', afterMs: 400 * DAY_MS },
  ],
  example: () => import('./example.ts'),
})
