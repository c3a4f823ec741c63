/** Names that a question may have: of the site's own pages, sources, cities, goals …, and of countries and languages. */
import { isObject } from '../../../../runtime/values/json.ts'
import { dimensions } from '../../../../storage/engine/vocabulary/dimensions.ts'
import type { Asking } from '../answered.ts'
import { countryNames, languageNames, otherNamesOf } from './countries.ts'
import { stemsOf } from './words.ts'

/** A value of a dimension that a name means. */
export interface Named {
  readonly dimension: string
  /** As filters take it. */
  readonly value: string | readonly string[]
  /** As it is shown. */
  readonly label: string
  /** Only where the question calls it what it is: `the sale page`. */
  readonly isCalled?: true
}

export interface GoalName {
  readonly id: string
  readonly name: string
  readonly event: string | null
}

export interface Names {
  /** By the words of the name, joined by spaces; the likeliest first. */
  readonly byWords: ReadonlyMap<string, readonly Named[]>
  readonly longest: number
  readonly pages: ReadonlySet<string>
  readonly goals: readonly GoalName[]
  /** Keys of properties, by their words. */
  readonly properties: ReadonlyMap<string, string>
  /** Values of a property. */
  valuesOf(property: string): Promise<readonly string[]>
}

/** Values that are known by name, of each dimension; if several have the same name, the first is meant. */
const read: readonly (readonly [dimension: string, most: number])[] = [
  ['city', 1_000],
  ['source', 500],
  ['channel', 50],
  ['device', 10],
  ['browser', 100],
  ['os', 100],
  ['utm_campaign', 500],
  ['event', 300],
  ['region', 300],
  ['page', 1_000],
]
/** Dimensions whose values are only looked at where the question names the dimension. */
export const readWhenCalled = ['utm_source', 'utm_medium', 'utm_term', 'utm_content', 'hostname', 'referrer', 'screen'] as const

interface Value {
  readonly value: string
  readonly label: string
}

/** Other names of values that have the same in every site. */
const also: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  device: {
    mobile: 'mobile devices, mobiles, phone, phones, smartphone, smartphones, mobile phone, mobile phones, handy',
    desktop: 'desktops, computer, computers, desktop computers, pc',
    tablet: 'tablets',
    tv: 'television, televisions, smart tv, smart tvs, tvs, television sets',
    console: 'consoles, game consoles, games consoles',
    wearable: 'wearables, watch, watches, smartwatch, smartwatches',
  },
  os: {
    iOS: 'iphone, iphones',
    iPadOS: 'ipad, ipads',
    macOS: 'mac, macs, apple computers, os x',
    Android: 'androids',
    'Chrome OS': 'chromebook, chromebooks',
  },
  channel: {
    'Organic Search': 'search engines, search, organic',
    'Paid Search': 'search ads, paid ads on search',
    'AI Assistants': 'ai, ai assistants, ai chatbots, chatbots, llms',
    Email: 'e mail, emails, mail, mailing, mailings',
    Referral: 'referrals, other websites',
    Direct: 'direct visitors, directly, typed in',
    Affiliates: 'affiliate',
  },
  event: {
    'File Download': 'downloads, files downloaded, files were downloaded, file downloaded, downloaded files, downloaded',
    'Outbound Link: Click': 'outbound links, outbound clicks, outbound link clicks',
    'Form: Submission': 'form submissions, forms submitted',
  },
  source: {
    'Hacker News': 'hackernews, hn',
    ChatGPT: 'chat gpt',
    'X (Twitter)': 'twitter',
    LinkedIn: 'linked in',
    YouTube: 'you tube',
    DuckDuckGo: 'duck duck go, ddg',
  },
}

/** Values are whatever visitors send: names that every object has, too. */
function alsoCalled(dimension: string, value: string): readonly string[] {
  const names = also[dimension] ?? {}
  return Object.hasOwn(names, value) ? (names[value] ?? '').split(', ') : []
}
/** Values that together are called by one word. */
const groups: readonly (readonly [words: string, dimension: string, values: readonly string[], label: string])[] = [
  ['social, social media, social networks', 'channel', ['Organic Social', 'Paid Social'], 'Organic or Paid Social'],
]
/** Channels that people ask for whether or not there was a visit. */
const channels = [
  'Direct',
  'Organic Search',
  'Paid Search',
  'Organic Social',
  'Paid Social',
  'Email',
  'Referral',
  'AI Assistants',
  'Affiliates',
  'Display',
  'Organic Video',
  'Paid Video',
  'Organic Shopping',
  'Paid Shopping',
]
/** Devices that people ask for by these words. “Embedded” and “console” mean other things more often. */
const devices = ['mobile', 'desktop', 'tablet', 'tv']

export async function namesOf(asking: Asking): Promise<Names> {
  const [lists, goals, keys] = await Promise.all([
    Promise.all(read.map(async ([dimension, max]) => [dimension, await valuesOf(asking, dimension, max)] as const)),
    goalsOf(asking),
    propertiesOf(asking),
  ])
  const byWords = new Map<string, Named[]>()
  const add = (name: string, named: Named) => {
    const words = stemsOf(name).join(' ')
    if (words === '') return
    const known = byWords.get(words) ?? []
    if (!known.some(({ dimension, value }) => dimension === named.dimension && String(value) === String(named.value))) known.push(named)
    byWords.set(words, known)
  }
  for (const [name, code] of countryNames()) add(name, { dimension: 'country', value: code, label: labelOf('country', code) })
  const values = new Map<string, readonly Value[]>(lists)
  const plain = (value: string): Value => ({ value, label: value })
  const valuesIn = (dimension: string): readonly Value[] => {
    const known = values.get(dimension) ?? []
    const always = dimension === 'channel' ? channels : dimension === 'device' ? devices : []
    return [...known, ...always.filter(value => !known.some(each => each.value === value)).map(plain)]
  }
  for (const [dimension] of read) {
    if (dimension === 'page') continue
    for (const { value, label } of valuesIn(dimension)) {
      if (value === '') continue
      const named = { dimension, value, label }
      add(label, named)
      add(value, named)
      for (const other of alsoCalled(dimension, value)) add(other, named)
      if (dimension === 'city') for (const other of otherNamesOf(value)) add(other, named)
    }
    if (dimension === 'city') for (const { id, name } of goals) add(name, { dimension: 'goal', value: id, label: name })
  }
  for (const [words, dimension, value, label] of groups) for (const name of words.split(', ')) add(name, { dimension, value, label })
  for (const [name, code] of languageNames())
    add(name, { dimension: 'language', value: code, label: labelOf('language', code), isCalled: true })
  const pages = new Set((values.get('page') ?? []).map(({ value }) => value))
  for (const [words, path] of called(pages)) add(words, { dimension: 'page', value: path, label: path, isCalled: true })
  for (const words of ['homepage', 'home page', 'start page', 'front page', 'index page'])
    add(words, { dimension: 'page', value: '/', label: '/' })
  return {
    byWords,
    longest: Math.max(1, ...[...byWords.keys()].map(words => words.split(' ').length)),
    pages,
    goals,
    properties: new Map(keys.map(key => [stemsOf(key).join(' '), key])),
    valuesOf: async property => (await valuesOf(asking, property, 100)).map(({ value }) => value).filter(value => value !== ''),
  }
}

/** Pages by the last words of their paths; the shortest path of those that have the same. */
function called(pages: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>()
  for (const path of [...pages].toSorted((a, b) => a.split('/').length - b.split('/').length)) {
    const words = stemsOf(path.split('/').filter(Boolean).at(-1) ?? '').join(' ')
    if (words !== '' && !found.has(words)) found.set(words, path)
  }
  return found
}

async function valuesOf({ read: ask, site }: Asking, dimension: string, limit: number): Promise<Value[]> {
  const answer = await ask({
    operation: 'stats_breakdown',
    input: { site_id: site.id, dimension, period: 'all', limit, metrics: ['visitors'] },
  })
  if (answer.failure || !isObject(answer.data) || !Array.isArray(answer.data.rows)) return []
  return answer.data.rows.flatMap(row =>
    isObject(row) && typeof row.value === 'string' && typeof row.label === 'string' ? [{ value: row.value, label: row.label }] : [],
  )
}

async function goalsOf({ read: ask, site }: Asking): Promise<GoalName[]> {
  const answer = await ask({ operation: 'goals_list', input: { site_id: site.id, per_page: 100 } })
  if (answer.failure || !Array.isArray(answer.data)) return []
  return answer.data.flatMap(goal =>
    isObject(goal) && typeof goal.id === 'string' && typeof goal.name === 'string'
      ? [{ id: goal.id, name: goal.name, event: typeof goal.event === 'string' ? goal.event : null }]
      : [],
  )
}

async function propertiesOf({ read: ask, site }: Asking): Promise<string[]> {
  const answer = await ask({ operation: 'event_properties_list', input: { site_id: site.id } })
  if (answer.failure || !Array.isArray(answer.data)) return []
  return answer.data.flatMap(row => (isObject(row) && typeof row.key === 'string' ? [row.key] : []))
}

const labelOf = (dimension: string, code: string): string => dimensions.get(dimension)?.label?.(code) ?? code
