/** Every setting, read from the environment in this one place. The README's table is made of these rows. */
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'

interface Setting<T> {
  readonly default: string
  readonly description: string
  /** The value, or undefined where the text would not do. */
  parse(text: string): T | undefined
  /** What would do, for the message. */
  readonly wants: string
}
const setting = <T>(row: Setting<T>): Setting<T> => row

const whole = (least: number, most: number) => ({
  parse: (text: string) => (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined),
  wants: `a whole number from ${least} to ${most}`,
})

const ranges = {
  parse: (text: string) => {
    const list = text.split(',').map(part => part.trim()).filter(Boolean)
    return list.every(isRange) ? list : undefined
  },
  wants: 'a comma list of IP addresses and CIDR ranges',
}

export const settings = {
  DATABASE_URL: setting({
    default: 'file:data/footfall.db', description: 'Where everything is kept: `file:…` (SQLite) or `postgres://…`',
    parse: text => (/^file:.+|^postgres(ql)?:\/\/.+/.test(text) ? text : undefined), wants: '"file:…" or "postgres://…"',
  }),
  PORT: setting({ default: '8080', description: 'Port to listen on; 0 takes a free one', ...whole(0, 65_535) }),
  HOST: setting({ default: '127.0.0.1', description: 'Address to listen on; `0.0.0.0` for all', parse: text => text, wants: 'an address' }),
  BASE_URL: setting({
    default: '', description: 'Address the service has for the outside, without a slash at the end; default `http://HOST:PORT`',
    parse: text => (text === '' || /^https?:\/\/[^/?#]+(\/[^?#]*[^/?#])?$/.test(text) ? text : undefined), wants: 'an http:// or https:// address without a slash at the end',
  }),
  TRUSTED_PROXIES: setting({
    default: '', description: 'Comma list of addresses and CIDR ranges whose `X-Forwarded-For` is believed',
    ...ranges,
  }),
  OUTBOUND_ALLOW_CIDRS: setting({
    default: '', description: 'Comma list of addresses and CIDR ranges that webhooks, checks and notifications may call beside public ones',
    ...ranges,
  }),
  SECRET_KEY: setting({
    default: '', description: 'Text that the signing secrets of webhooks and the URLs of channels are sealed with in the database, 32 characters or more; default: a key made at the first use, in `<database>.key` beside SQLite, inside the database with Postgres',
    parse: text => (text === '' || text.length >= 32 ? text : undefined), wants: 'at least 32 characters, such as `openssl rand -base64 32` prints',
  }),
  LOG_LEVEL: setting({
    default: 'info', description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    parse: text => (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(text) ? text : undefined),
    wants: 'one of fatal, error, warn, info, debug, trace, silent',
  }),
  METRICS_TOKEN: setting({
    default: '', description: 'Bearer token that `/metrics` asks for; without one it answers this machine and private networks only',
    parse: text => (/^[\x21-\x7e]*$/.test(text) ? text : undefined), wants: 'visible ASCII characters without spaces',
  }),
  RATE_TOKEN: setting({ default: '600', description: 'Requests a minute and token; 0 = no limit', ...whole(0, 1_000_000) }),
  RATE_ANONYMOUS: setting({ default: '60', description: 'Requests a minute and address (of IPv6 its /64) without a token; 0 = no limit', ...whole(0, 1_000_000) }),
  RATE_FAILURES: setting({ default: '20', description: 'Failed authentications a minute with the same token from one address (of IPv6 its /64); to send none is no failure; 0 = no limit', ...whole(0, 1_000_000) }),
  RATE_FAILURES_ADDRESS: setting({ default: '200', description: 'Failed authentications a minute and address with any tokens, after which it waits with every token; 0 = no limit', ...whole(0, 1_000_000) }),
  RATE_COSTLY: setting({ default: '10', description: 'Requests a minute and token of operations that cost a lot; 0 = no limit', ...whole(0, 1_000_000) }),
  SMTP_URL: setting({
    default: '', description: 'Mail server that notifications go out by, `smtps://user:password@host`; default: no e-mail is sent',
    parse: text => (text === '' || /^smtps?:\/\/[^/?#]+/.test(text) && URL.canParse(text) ? text : undefined), wants: '"smtp://…" or "smtps://…"',
  }),
  MAIL_FROM: setting({
    default: '', description: 'Sender of e-mails, `Name <mailbox@host>`; default `Footfall <footfall@…>` at the host of BASE_URL',
    parse: text => (text === '' || /^[^<>\r\n]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(text) ? text : undefined), wants: 'an e-mail address, or a name and <address>',
  }),
  USAGE_LIMIT: setting({ default: '0', description: 'Hits a month of a workspace that usage alerts and `usage.threshold` count towards; 0 = no limit', ...whole(0, 1_000_000_000_000) }),
  PROBE_LOCATION: setting({
    default: 'local', description: 'What this installation calls itself as a location of uptime checks',
    parse: text => (isLocation(text) ? text : undefined), wants: 'small letters, digits and dashes, at most 32',
  }),
  PROBE_RANGES: setting({ default: '', description: 'Comma list of addresses and CIDR ranges its probes come from, shown for allow-listing', ...ranges }),
  CARDINALITY_PATHS: setting({ default: '20000', description: 'New paths a site may bring in a day, and as many new values of each other dimension; beyond that they count as `(other)`', ...whole(1, 100_000_000) }),
  CARDINALITY_NAMES: setting({ default: '1000', description: 'New names of events a site and day, and new keys of properties', ...whole(1, 1_000_000) }),
  CARDINALITY_VALUES: setting({ default: '5000', description: 'New values of one property a site and day', ...whole(1, 100_000_000) }),
  RETENTION_DAYS: setting({
    default: '0', description: 'Full days that visits and hits are kept, 31 or more; 0 = for ever',
    parse: text => (/^\d{1,5}$/.test(text) && (Number(text) === 0 || Number(text) >= 31) ? Number(text) : undefined), // the month that is counted stays whole
    wants: '0 or a whole number from 31 to 99999',
  }),
  GEOIP_DATABASE: setting({
    default: '', description: 'MMDB file with cities (GeoLite2 City, DB-IP); default: countries only, bundled',
    parse: text => (text === '' || existsSync(text) ? text : undefined), wants: 'the path of an MMDB file that exists',
  }),
  REPORT_THREADS: setting({ default: '1', description: 'Worker threads that answer reports', ...whole(1, 64) }),
  REPORT_CACHE_MB: setting({ default: '200', description: 'Most memory for decoded days and texts, each report thread; a site of ten million hits a year takes all of it, a small one a few MB', ...whole(1, 65_536) }),
} as const

type Parsed<S> = S extends Setting<infer T> ? T : never
export type Config = { readonly [K in keyof typeof settings]: Parsed<(typeof settings)[K]> }

/** @throws Error with one clear line naming every setting that would not do. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = []
  const entries = Object.entries<Setting<unknown>>(settings).map(([name, row]) => {
    const text = env[name]?.trim() || row.default
    const value = row.parse(text)
    // The text itself may be a secret (a database password): it is not repeated.
    if (value === undefined) faults.push(`${name} must be ${row.wants}`)
    return [name, value]
  })
  if (faults.length > 0) throw new Error(`Configuration: ${faults.join('; ')}`)
  return Object.freeze(Object.fromEntries(entries)) as Config // each entry was made by the row of its name
}

/** The name of a place that probes: part of a label, a header and a key. */
export function isLocation(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/.test(text)
}

function isRange(text: string): boolean {
  const [address = '', bits = '0', more] = text.split('/')
  return isIP(address) > 0 && more === undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128)
}
