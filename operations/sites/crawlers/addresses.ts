/** Checks whether a request comes from an address that the operator of the crawler has published. */
import { readFileSync } from 'node:fs'
import { isAllowed } from '../../../runtime/table/caller.ts'
import { isObject } from '../../../runtime/values/json.ts'

/** URLs at which operators publish the IP ranges of a crawler, as `{"prefixes": [{"ipv4Prefix"}]}`; the command reads them. */
export const PUBLISHED: Readonly<Record<string, string>> = {
  google: 'https://developers.google.com/static/search/apis/ipranges/googlebot.json',
  'google-special': 'https://developers.google.com/static/search/apis/ipranges/special-crawlers.json',
  'google-fetchers': 'https://developers.google.com/static/search/apis/ipranges/user-triggered-fetchers-google.json',
  bing: 'https://www.bing.com/toolbox/bingbot.json',
  duckduckgo: 'https://duckduckgo.com/duckduckbot.json',
  apple: 'https://search.developer.apple.com/applebot.json',
  'openai-gptbot': 'https://openai.com/gptbot.json',
  'openai-searchbot': 'https://openai.com/searchbot.json',
  'openai-chatgpt-user': 'https://openai.com/chatgpt-user.json',
  'perplexity-bot': 'https://www.perplexity.com/perplexitybot.json',
  'perplexity-user': 'https://www.perplexity.com/perplexity-user.json',
  commoncrawl: 'https://index.commoncrawl.org/ccbot.json',
}

/**
 * Networks that crawlers have used for years. They are only part of the published ranges, so a request from another address counts
 * as spoofed only with complete lists.
 */
const BUNDLED: Readonly<Record<string, readonly string[]>> = {
  google: ['66.249.64.0/19', '2001:4860:4801::/48'],
  bing: ['40.77.167.0/24', '157.55.39.0/24', '207.46.13.0/24'],
  apple: ['17.0.0.0/8'],
  'openai-gptbot': ['52.230.152.0/24', '52.233.106.0/24'],
}

export type Verdict = 'verified' | 'spoofed' | 'unverifiable'
export type Verify = (list: string | null, ip: string) => Verdict

/** @param file complete lists by name, written by `crawlers --ranges`; '' for none. @throws Error naming the file */
export function verifier(file: string): Verify {
  const whole = file === '' ? {} : readLists(file)
  return (list, ip) => {
    if (list === null || ip === '') return 'unverifiable'
    const all = whole[list]
    if (isAllowed(ip, all ?? BUNDLED[list] ?? [])) return 'verified'
    return all ? 'spoofed' : 'unverifiable'
  }
}

function readLists(file: string): Readonly<Record<string, readonly string[]>> {
  const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!isObject(read)) throw new Error(`${file}: must be an object of lists of ranges`)
  return Object.fromEntries(Object.entries(read).map(([name, list]) => [name, rangesIn(list, `${file}: ${name}`)]))
}

function rangesIn(list: unknown, what: string): string[] {
  if (!Array.isArray(list)) throw new Error(`${what} must be a list of ranges`)
  return list.map(range => {
    if (typeof range !== 'string' || !isRange(range)) throw new Error(`${what} contains an invalid range: ${JSON.stringify(range)}`)
    return range
  })
}

function isRange(range: string): boolean {
  try {
    isAllowed('192.0.2.1', [range])
    return true
  } catch {
    return false
  }
}

/** Parses the ranges of a published list. @throws Error for any other content */
export function publishedRanges(text: string): string[] {
  const read: unknown = JSON.parse(text)
  const prefixes = isObject(read) && Array.isArray(read.prefixes) ? read.prefixes : []
  const ranges = prefixes.flatMap((prefix: unknown) =>
    isObject(prefix) ? [prefix.ipv4Prefix, prefix.ipv6Prefix].filter(each => typeof each === 'string') : [],
  )
  if (ranges.length === 0) throw new Error('contains no prefixes')
  return rangesIn(ranges, 'the list')
}
