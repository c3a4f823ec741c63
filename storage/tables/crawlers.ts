/** Requests of crawlers by local day of the site. */

export interface CrawlerDayRow {
  site_id: string
  day: number
  name: string
  operator: string
  category: string
  /** Requests that the site's own server logged. */
  requests: number
  /** Hits of our script, which few crawlers run. */
  script_hits: number
  status_4xx: number
  status_5xx: number
  bytes: number
  /** Requests from addresses that the operator publishes, and from others where it publishes all. */
  verified: number
  spoofed: number
  first_at: number
  last_at: number
}

export interface CrawlerPageRow {
  site_id: string
  day: number
  name: string
  category: string
  path: string
  requests: number
  last_at: number
}

declare module './index.ts' {
  interface Tables {
    crawler_days: CrawlerDayRow
    crawler_pages: CrawlerPageRow
  }
}
