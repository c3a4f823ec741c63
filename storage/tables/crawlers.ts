/** Requests of crawlers by local day of the site. */
import { text, bigint, instant, day, reference } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const crawler_days = table(
  {
    site_id: reference('sites'),
    day: day,
    name: text,
    operator: text,
    category: text,
    /** Requests in the logs of the site's own server. */
    requests: bigint,
    /** Hits of the tracking script, which few crawlers run. */
    script_hits: bigint,
    status_4xx: bigint,
    status_5xx: bigint,
    bytes: bigint,
    /** Requests from addresses that the operator publishes; and, if it publishes all of its addresses, those from other addresses. */
    verified: bigint,
    spoofed: bigint,
    first_at: instant,
    last_at: instant,
  },
  { key: ['site_id', 'day', 'name'] },
)
export type CrawlerDayRow = Row<typeof crawler_days>

export const crawler_pages = table(
  {
    site_id: reference('sites'),
    day: day,
    name: text,
    category: text,
    path: text,
    requests: bigint,
    last_at: instant,
  },
  { key: ['site_id', 'day', 'name', 'path'] },
)
export type CrawlerPageRow = Row<typeof crawler_pages>
