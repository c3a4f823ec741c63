/** Schemas of what crawlers read on a site. */
import { Type } from '@sinclair/typebox'
import { CalendarDay, DateTime, OneOf, record, Sentence } from '../../../runtime/table/schema.ts'
import { categories } from '../../sites/crawlers/records.ts'

const counts = {
  requests: Type.Integer({ unit: 'count', description: 'Requests in the logs that were sent.' }),
  script_hits: Type.Integer({ unit: 'count', description: 'Hits of our script, which few crawlers run; they are not in `requests`.' }),
}
const seen = {
  first_seen_at: DateTime({ description: 'When it was first seen in these days.' }),
  last_seen_at: DateTime({ description: 'When it was last seen.' }),
}

export const Category = (description: string) => OneOf(categories, { description })
export { categories }

export const Crawler = record(
  'Crawler',
  {
    name: Type.String({ description: 'Name of the crawler.' }),
    operator: Type.String({ description: 'Who sends it; empty where that is not known.' }),
    category: Category('What it is for. `ai_assistant` fetches for a person now, `ai_search` for an index that answers cite.'),
    ...counts,
    paths: Type.Integer({ unit: 'count', description: 'Different paths.' }),
    status_4xx: Type.Integer({ unit: 'count', description: 'Answers that something was not there or allowed.' }),
    status_5xx: Type.Integer({ unit: 'count', description: 'Answers that the server failed.' }),
    bytes: Type.Integer({ unit: 'bytes', description: 'Bytes of the answers.' }),
    verified: Type.Integer({ unit: 'count', description: 'Those from addresses that its operator publishes.' }),
    spoofed: Type.Integer({
      unit: 'count',
      description: 'Requests from other addresses, if its operator publishes all; null otherwise.',
    }),
    ...seen,
  },
  'A crawler and what it read.',
)

export const CrawlerDetail = record(
  'CrawlerDetail',
  {
    ...Crawler.properties,
    series: Type.Array(
      Type.Object({
        date: CalendarDay({ description: 'Day of the site.' }),
        ...counts,
        verified: Type.Integer({ unit: 'count', description: 'Verified.' }),
        spoofed: Type.Integer({ unit: 'count', description: 'Spoofed.' }),
      }),
      { description: 'Every day, oldest first.' },
    ),
    top_paths: Type.Array(
      Type.Object({
        path: Type.String({ description: 'Path.' }),
        requests: Type.Integer({ unit: 'count', description: 'Requests and hits.' }),
        last_seen_at: DateTime({ description: 'When it was last read.' }),
      }),
      { description: 'The 100 paths that it reads most.' },
    ),
  },
  'One crawler: over time, and what it reads.',
)

export const CrawledPage = record(
  'CrawledPage',
  {
    path: Type.String({ description: 'Path.' }),
    requests: Type.Integer({ unit: 'count', description: 'Requests of all crawlers.' }),
    by_category: Type.Array(
      Type.Object({ category: Category('Category.'), requests: Type.Integer({ unit: 'count', description: 'Requests.' }) }),
      { description: 'The same by category, most first.' },
    ),
    visits: Type.Integer({ unit: 'count', description: 'Visits of people that viewed it.' }),
    ai_visits: Type.Integer({ unit: 'count', description: 'Those that an AI assistant has sent.' }),
    never_crawled: Type.Boolean({ description: 'Whether people visited it, and no crawler did.' }),
  },
  'A page, by who reads it.',
)

export const Robots = record(
  'CrawlerRobots',
  {
    robots_txt: Type.String({
      description: 'Lines for robots.txt. Crawlers need not follow it: those that do not must be blocked by the server.',
    }),
    blocked: Type.Array(
      Type.Object({
        category: Category('Category.'),
        crawlers: Type.Array(Type.String(), { description: 'Crawlers that the lines name.' }),
        recent_requests: Type.Integer({ unit: 'count', description: 'Requests of these, in the last 30 days.' }),
        recent_visits: Type.Integer({
          unit: 'count',
          description: 'Visits of people that such sources sent then: what blocking may cost.',
        }),
        cost: Sentence({ description: 'What it costs, in words.' }),
      }),
      { description: 'What is blocked.' },
    ),
  },
  'Lines for robots.txt, and what they cost.',
)
