import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import { fail, failWith, type Fault } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { among, CalendarDay, iso, optional, type Static } from '../../../runtime/table/schema.ts'
import type { Db } from '../../../storage/store.ts'
import { dateOf, dayOf, dayStart, localDay } from '../../../storage/calendar/zones.ts'
import { type LiveSite, site } from '../../sites/sites/records.ts'
import { engine } from '../stats/index.ts'
import { visitsOfPages } from './page-visits.ts'
import { categories, Category, CrawledPage, Crawler, CrawlerDetail, Robots } from './records.ts'
import { robotsFor } from './robots.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'
import { addTo } from '../../../storage/values/grouped.ts'

const days = {
  from: optional(CalendarDay({ description: 'First day. Defaults to a range of 30 days.' })),
  to: optional(CalendarDay({ description: 'Last day. Defaults to today.' })),
}
/** Largest number of days in a report. */
const MAX_DAYS = 400
const MAX_PATHS = 100

export const crawlers_list = list({
  route: 'GET /sites/{site_id}/crawlers',
  summary: 'List crawlers and AI bots that read a site',
  empty: {
    says: 'Search engines and AI assistants do not run scripts. Send the log of your server, and see what they read.',
    like: [
      ['GPTBot', '1,204'],
      ['Googlebot', '862'],
      ['ClaudeBot', '311'],
    ],
  },
  title: 'Crawlers',
  place: 'what_they_do',
  icon: 'crawler',
  description:
    'From imported logs, and from bots that run our script: names, requests, and whether they are verified or spoofed. Most requests first. These requests never count as visits.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: { ...days, category: optional(Category('Only crawlers of this category.')) },
  of: Crawler,
  examples: [{ input: { site_id: '{{site}}' } }, { summary: 'What AI reads', input: { site_id: '{{site}}', category: 'ai_training' } }],
  async run({ db, site, input, page, now }) {
    const range = rangeOf(site, input, now)
    let all = crawlersIn(db, site, range)
    if (input.category !== undefined) all = all.where('category', '=', input.category)
    const rows = await all.execute()
    const some = rows.slice(page.offset, page.offset + page.limit)
    const paths = await pathCounts(db, site, range)
    return { rows: some.map(row => toCrawler(row, paths.get(row.name) ?? 0)), total: rows.length }
  },
})

export const crawlers_get = operation({
  route: 'GET /sites/{site_id}/crawlers/detail',
  summary: 'Get one crawler: requests over time and most read pages',
  title: 'Crawler',
  place: 'aside',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: { ...days, name: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the crawler, as in `crawlers_list`.' }) },
  output: CrawlerDetail,
  examples: [{ input: { site_id: '{{site}}', name: 'GPTBot' } }],
  async run({ db, site, input, now }) {
    const range = rangeOf(site, input, now)
    const row = await crawlersIn(db, site, range).where('name', '=', input.name).executeTakeFirst()
    if (!row) return fail('validation_failed', undefined, { details: [{ pointer: '/name', code: 'not_found', message: m.not_seen() }] })
    const byDay = await db
      .selectFrom('crawler_days')
      .select(['day', 'requests', 'script_hits', 'verified', 'spoofed'])
      .where('site_id', '=', site.id)
      .where('name', '=', input.name)
      .where('day', '>=', range.from)
      .where('day', '<=', range.to)
      .execute()
    const known = new Map(byDay.map(each => [each.day, each]))
    const top = await db
      .selectFrom('crawler_pages')
      .select(({ fn }) => ['path', fn.sum<number>('requests').as('requests'), fn.max('last_at').as('last_at')])
      .where('site_id', '=', site.id)
      .where('name', '=', input.name)
      .where('day', '>=', range.from)
      .where('day', '<=', range.to)
      .groupBy('path')
      .orderBy(sql.ref('requests'), 'desc')
      .orderBy('path')
      .limit(MAX_PATHS)
      .execute()
    const paths = await pathCounts(db, site, range)
    return {
      ...toCrawler(row, paths.get(row.name) ?? 0),
      series: Array.from({ length: range.to - range.from + 1 }, (_, i) => {
        const { requests = 0, script_hits = 0, verified = 0, spoofed = 0 } = known.get(range.from + i) ?? {}
        return { date: dateOf(range.from + i), requests, script_hits, verified, spoofed }
      }),
      top_paths: top.map(({ path, requests, last_at }) => ({ path, requests, last_seen_at: iso(last_at) })),
    }
  },
})

export const crawlers_pages = list({
  route: 'GET /sites/{site_id}/crawlers/pages',
  summary: 'List pages by crawler and AI requests, compared with visits',
  title: 'Crawled pages',
  place: 'aside',
  description:
    'Requests of each category and visits of people, including visits that AI assistants sent. Covers the 1,000 pages with most requests and the 1,000 with most visits; most requests first.',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    ...days,
    never_crawled: optional(
      Type.Boolean({ description: 'True: only pages that people visited and no crawler requested. False: only the other pages.' }),
    ),
  },
  of: CrawledPage,
  examples: [
    { input: { site_id: '{{site}}' } },
    { summary: 'Pages that no crawler knows', input: { site_id: '{{site}}', never_crawled: true } },
  ],
  async run({ db, site, input, page, now, use }) {
    const range = rangeOf(site, input, now)
    const visits = await visitsOfPages(use(engine), site, {
      ...range,
      start: dayStart(site.timezone, range.from),
      end: dayStart(site.timezone, range.to + 1),
    })
    const crawled = await db
      .selectFrom('crawler_pages')
      .select(({ fn }) => ['path', 'category', fn.sum<number>('requests').as('requests')])
      .where('site_id', '=', site.id)
      .where('day', '>=', range.from)
      .where('day', '<=', range.to)
      .groupBy(['path', 'category'])
      .orderBy(sql.ref('requests'), 'desc')
      .limit(1_000 * categories.length)
      .execute()
    const byPath = new Map<string, { category: (typeof categories)[number]; requests: number }[]>()
    for (const { path, category, requests } of crawled) {
      if (!byPath.has(path) && byPath.size >= 1_000) continue
      addTo(byPath, path, { category: among(categories, category), requests })
    }
    const rows = [...new Set([...byPath.keys(), ...visits.keys()])].map(path => {
      const by_category = byPath.get(path) ?? []
      const { visits: people = 0, aiVisits = 0 } = visits.get(path) ?? {}
      const requests = by_category.reduce((sum, each) => sum + each.requests, 0)
      return { path, requests, by_category, visits: people, ai_visits: aiVisits, never_crawled: requests === 0 }
    })
    const kept = rows
      .filter(row => input.never_crawled === undefined || row.never_crawled === input.never_crawled)
      .sort((a, b) => b.requests - a.requests || b.visits - a.visits || (a.path < b.path ? -1 : 1))
    return { rows: kept.slice(page.offset, page.offset + page.limit), total: kept.length }
  },
})

export const crawlers_robots = operation({
  route: 'GET /sites/{site_id}/crawlers/robots',
  summary: 'Get robots.txt lines that block crawlers, and their consequences',
  title: 'robots.txt',
  place: 'aside',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {
    block: Type.Array(Category('Category to block.'), {
      default: ['ai_training'],
      minItems: 1,
      maxItems: categories.length,
      description: 'Categories to block.',
    }),
  },
  output: Robots,
  examples: [{ input: { site_id: '{{site}}' } }, { input: { site_id: '{{site}}', block: ['ai_training', 'seo'] } }],
  async run({ db, site, input, now, use }) {
    const to = localDay(site.timezone, now).day
    const rows = await crawlersIn(db, site, { from: to - 29, to }).execute()
    const requests = new Map(rows.map(row => [row.name, row.requests + row.script_hits]))
    return robotsFor({ block: [...new Set(input.block)], requests, engine: use(engine), site, today: to })
  },
})

interface Days {
  readonly from: number
  readonly to: number
}

/** @throws Failure 422 */
function rangeOf({ timezone }: LiveSite, input: { from?: string; to?: string }, now: number): Days {
  const to = dayOf(input.to ?? '') ?? localDay(timezone, now).day
  const from = dayOf(input.from ?? '') ?? to - 29
  const faults: Fault[] = []
  if (from > to)
    faults.push({ pointer: '/to', code: 'too_small', message: m.days_reversed({ to: fieldTerm('to'), from: fieldTerm('from') }) })
  if (to - from >= MAX_DAYS) faults.push({ pointer: '/from', code: 'too_small', message: m.too_many_days({ most: MAX_DAYS }) })
  failWith(faults)
  return { from, to }
}

const sums = ['requests', 'script_hits', 'status_4xx', 'status_5xx', 'bytes', 'verified', 'spoofed'] as const

const crawlersIn = (db: Db, { id }: LiveSite, { from, to }: Days) =>
  db
    .selectFrom('crawler_days')
    .select(({ fn }) => [
      'name',
      fn.max('operator').as('operator'),
      fn.max('category').as('category'),
      ...sums.map(name => fn.sum<number>(name).as(name)),
      fn.min('first_at').as('first_at'),
      fn.max('last_at').as('last_at'),
    ])
    .where('site_id', '=', id)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('name')
    .orderBy(sql`sum(requests) + sum(script_hits)`, 'desc')
    .orderBy('name')

type CrawlerSums = Awaited<ReturnType<ReturnType<typeof crawlersIn>['execute']>>[number]

function toCrawler(row: CrawlerSums, paths: number): Static<typeof Crawler> {
  return {
    name: row.name,
    operator: row.operator,
    category: among(categories, row.category),
    requests: row.requests,
    script_hits: row.script_hits,
    paths,
    status_4xx: row.status_4xx,
    status_5xx: row.status_5xx,
    bytes: row.bytes,
    verified: row.verified,
    spoofed: row.spoofed,
    first_seen_at: iso(row.first_at),
    last_seen_at: iso(row.last_at),
  }
}

async function pathCounts(db: Db, { id }: LiveSite, { from, to }: Days): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('crawler_pages')
    .select(({ fn }) => ['name', fn.count<number>('path').distinct().as('paths')])
    .where('site_id', '=', id)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('name')
    .execute()
  return new Map(rows.map(({ name, paths }) => [name, paths]))
}
