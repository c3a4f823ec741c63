/** Identifies the crawler of a user agent. */
import crawlerUserAgents from 'crawler-user-agents'
import { LRUCache } from 'lru-cache'
import { oneLine } from '../../../runtime/values/one-line.ts'
import { isBot } from './user-agents/bots.ts'
import { type Category, type Known, known } from './crawler-list.ts'

const categoryOfTag: Readonly<Record<string, Category>> = {
  'ai-crawler': 'ai_training',
  'search-engine': 'search',
  seo: 'seo',
  'social-preview': 'preview',
  monitoring: 'monitor',
  'feed-reader': 'feed',
  archiver: 'archive',
}

const others = crawlerUserAgents.map(row => ({
  pattern: new RegExp(row.pattern),
  category: tagsOf(row).flatMap(tag => categoryOfTag[String(tag)] ?? [])[0] ?? ('other' as const),
}))

/** The types of the package lack the tags. */
function tagsOf(row: object): readonly unknown[] {
  return 'tags' in row && Array.isArray(row.tags) ? row.tags : []
}

const UNNAMED: Known = { name: 'Other bots', operator: '', category: 'other', list: null }
const MAX_LENGTH = 500

/** Caches crawlers: trying all patterns takes a millisecond, and a day's requests share a few hundred user agents. */
const identifiedAgents = new LRUCache<string, { crawler: Known | undefined }>({ max: 5_000 })

/** Undefined for browsers of people. */
export function crawlerOf(userAgent: string): Known | undefined {
  const agent = userAgent.slice(0, MAX_LENGTH)
  let kept = identifiedAgents.get(agent)
  if (!kept) identifiedAgents.set(agent, (kept = { crawler: identified(agent) }))
  return kept.crawler
}

function identified(agent: string): Known | undefined {
  const lower = agent.toLowerCase()
  const own = known.find(({ token }) => lower.includes(token))
  if (own) return own
  if (!isBot(agent)) return undefined
  for (const { pattern, category } of others) {
    const [found] = pattern.exec(agent) ?? []
    const name = oneLine((found ?? '').split(/[/(;]/)[0] ?? '').slice(0, 60)
    if (name !== '') return { name, operator: '', category, list: null }
  }
  return UNNAMED
}
