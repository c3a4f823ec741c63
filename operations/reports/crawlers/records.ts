/** Schemas of crawler reports. */
import { Type } from '@sinclair/typebox'
import { CalendarDay, DateTime, OneOf, record, Sentence } from '../../../runtime/table/schema.ts'
import { categories } from '../../sites/crawlers/records.ts'

const counts = {
  requests: Type.Integer({ unit: 'count', description: 'Requests in imported logs.' }),
  script_hits: Type.Integer({ unit: 'count', description: 'Hits of our script, which few crawlers run. Not included in `requests`.' }),
}
const seen = {
  first_seen_at: DateTime({ description: 'When the crawler was first seen in the range.' }),
  last_seen_at: DateTime({ description: 'When the crawler was last seen in the range.' }),
}

export const Category = (description: string) => OneOf(categories, { description })
export { categories }

export const Crawler = record(
  'Crawler',
  {
    name: Type.String({ description: 'Name of the crawler.' }),
    operator: Type.String({ description: 'Operator of the crawler; empty if unknown.' }),
    category: Category(
      'Purpose of the crawler. `ai_assistant` fetches a page for a person at once, `ai_search` for an index that answers cite.',
    ),
    ...counts,
    paths: Type.Integer({ unit: 'count', description: 'Number of different paths.' }),
    status_4xx: Type.Integer({ unit: 'count', description: 'Number of responses with a 4xx status.' }),
    status_5xx: Type.Integer({ unit: 'count', description: 'Number of responses with a 5xx status.' }),
    bytes: Type.Integer({ unit: 'bytes', description: 'Size of the responses.' }),
    verified: Type.Integer({ unit: 'count', description: 'Requests from addresses that its operator publishes.' }),
    spoofed: Type.Integer({
      unit: 'count',
      description: 'Requests from other addresses, if its operator publishes all of its addresses; null otherwise.',
    }),
    ...seen,
  },
  'A crawler and its requests.',
)

export const CrawlerDetail = record(
  'CrawlerDetail',
  {
    ...Crawler.properties,
    series: Type.Array(
      Type.Object({
        date: CalendarDay({ description: 'Day in the site’s time zone.' }),
        ...counts,
        verified: Type.Integer({ unit: 'count', description: 'Number of verified requests.' }),
        spoofed: Type.Integer({ unit: 'count', description: 'Number of spoofed requests.' }),
      }),
      { description: 'Requests of every day, oldest first.' },
    ),
    top_paths: Type.Array(
      Type.Object({
        path: Type.String({ description: 'Path of the page.' }),
        requests: Type.Integer({ unit: 'count', description: 'Number of requests and script hits.' }),
        last_seen_at: DateTime({ description: 'When the page was last requested.' }),
      }),
      { description: 'The 100 paths with most requests.' },
    ),
  },
  'One crawler, with its requests over time and its pages.',
)

export const CrawledPage = record(
  'CrawledPage',
  {
    path: Type.String({ description: 'Path of the page.' }),
    requests: Type.Integer({ unit: 'count', description: 'Requests of all crawlers.' }),
    by_category: Type.Array(
      Type.Object({ category: Category('Category.'), requests: Type.Integer({ unit: 'count', description: 'Requests.' }) }),
      { description: 'Requests by category, most first.' },
    ),
    visits: Type.Integer({ unit: 'count', description: 'Visits of people that viewed the page.' }),
    ai_visits: Type.Integer({ unit: 'count', description: 'Visits that an AI assistant sent.' }),
    never_crawled: Type.Boolean({ description: 'Whether people visited the page and no crawler requested it.' }),
  },
  'A page, with requests of crawlers and visits of people.',
)

export const Robots = record(
  'CrawlerRobots',
  {
    robots_txt: Type.String({
      description: 'Lines for robots.txt. Crawlers may ignore them; the server must block those that do.',
    }),
    blocked: Type.Array(
      Type.Object({
        category: Category('Category.'),
        crawlers: Type.Array(Type.String(), { description: 'Crawlers in the lines.' }),
        recent_requests: Type.Integer({ unit: 'count', description: 'Requests of these crawlers in the last 30 days.' }),
        recent_visits: Type.Integer({
          unit: 'count',
          description: 'Visits of people from the sources of this category in the last 30 days, which blocking may cost.',
        }),
        cost: Sentence({ description: 'Consequence of blocking the category.' }),
      }),
      { description: 'Blocked categories.' },
    ),
  },
  'Lines for robots.txt, and their consequences.',
)
