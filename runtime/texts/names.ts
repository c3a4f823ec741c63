/** Turns identifiers of the operation table into readable English. Does not import the translations, which load with the first page. */
import { memoized } from '../values/memoize.ts'

/** Abbreviations, products and protocols: written like this in every language, also as a part of a name. */
const names = (
  'API ID IDs IP IPs OS SSO URL URI ACS SP SLO MCP DNS OpenAPI UTM OIDC IdP HTTP JIT SCIM SSL TLS CSP CSV SAML TCP CLI HTML JSON NDJSON ' +
  'GA4 BigQuery S3 SEO PDF AI OAuth LCP INP CLS FCP TTFB WordPress Nuxt Astro React Vue Shopify nginx Caddy Apache Cloudflare ' +
  'CloudFront Vercel Netlify Slack Discord Footfall Plausible Umami GoatCounter Fathom Matomo Parquet Postgres Stripe'
).split(' ')
const spellings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(names.map(name => [name.toLowerCase(), name])),
  dnt: 'Do Not Track',
  gtm: 'Google Tag Manager',
  nextjs: 'Next.js',
  q: 'search for',
  sha256: 'SHA-256',
  sqlite: 'SQLite',
  simple_analytics: 'Simple Analytics',
  timezone: 'time zone',
  teams: 'Microsoft Teams',
}

/** Readable replacements for identifiers that are too terse. */
const plainly: Readonly<Record<string, string>> = {
  at: 'time',
  matched_30d: 'matched in 30 days',
  assistant_enabled: 'assistant',
  auto_incidents: 'incidents of outages',
  consecutive_failures: 'failures in a row',
  days_cut_anew: 'days cut again',
  hash: 'part after #',
  idp_cert: 'IdP certificate',
  indexable: 'in search engines',
  key_present: 'key',
  password_present: 'password',
  require_two_factor: 'require a second factor',
  vitals: 'web vitals',
}

const spellingOf = (part: string): string | undefined => (Object.hasOwn(spellings, part) ? spellings[part] : undefined)
/** Whether `part` has a fixed spelling, as products and protocols do. */
export const isSpelled = (part: string): boolean => spellingOf(part) !== undefined
const partsOf = (name: string): string[] => name.split(/[\s_/]+/).filter(part => part !== '')

/** A value of an enumeration: `previous_period` → `previous period`, `goatcounter_csv` → `GoatCounter CSV`; `goal.created` stays. */
export const spelled = memoized((value: string): string => {
  if (value.includes('.')) return value
  const plain = Object.hasOwn(plainly, value) ? plainly[value] : undefined
  if (plain !== undefined) return plain
  const parts = partsOf(value).map(part => spellingOf(part) ?? part)
  return spellingOf(value) ?? parts.join(' ')
})

/** Values of enumerations that are codes, and what people call them. */
export const meanings: Readonly<Record<string, string>> = {
  gt: 'above',
  gte: 'at least',
  lt: 'below',
  lte: 'at most',
  asc: 'ascending',
  desc: 'descending',
  '24h': '24 hours',
  '7d': '7 days',
  '14d': '14 days',
  '28d': '28 days',
  '30d': '30 days',
  '90d': '90 days',
  '12mo': '12 months',
  this_week: 'this week',
  last_week: 'last week',
  mtd: 'this month',
  qtd: 'this quarter',
  ytd: 'this year',
  en: 'English',
  de: 'German',
  es: 'Spanish',
  fr: 'French',
  it: 'Italian',
  nl: 'Dutch',
  pt: 'Portuguese',
  pl: 'Polish',
  sv: 'Swedish',
  da: 'Danish',
  no: 'Norwegian',
  fi: 'Finnish',
  ja: 'Japanese',
  ko: 'Korean',
  'zh-CN': 'Chinese (simplified)',
  'zh-TW': 'Chinese (traditional)',
  regex: 'matches the expression',
  not_regex: 'does not match the expression',
  ms: 'milliseconds',
  stats_aggregate: 'totals',
  'channel.test': 'Test of a channel',
  'goal.completed_threshold': 'Goal reached often enough',
  'uptime.down': 'Check down',
  'uptime.up': 'Check up again',
  'usage.threshold': 'Plan nearly used up',
  'site.transferred': 'Site moved to another workspace',
}

/** A value of an enumeration as people call it: `gte` → `at least`, `site.created` → `Site created`. */
export function valueText(value: string): string {
  if (Object.hasOwn(meanings, value)) return meanings[value] ?? value
  return /^[a-z_]+\.[a-z_]+$/.test(value) ? words(value.replace('.', ' ')) : spelled(value)
}

/** Whether `value` consists only of fixed spellings and so needs no translation. */
export const isName = (value: string): boolean => spellingOf(value) !== undefined || partsOf(value).every(spellingOf)

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `bounce_rate`, `UptimeCheck` → `Bounce rate`, `Uptime check`. */
export const words = memoized((name: string): string => {
  const text = spelled(name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase())
  return capital(text)
})

/** The id of a record is called by what it names: `goal_id` → `Goal`; one of another product stays an id: `umami_id`. */
export const wordsOfField = memoized((name: string): string => {
  const subject = name.replace(/_ids$/, 's').replace(/_id$/, '')
  return words(isSpelled(subject) ? name : subject)
})

/** The name of one item of a list: `steps` → `step`, `countries` → `country`. */
export const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
