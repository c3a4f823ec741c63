/** The runtime's own settings, and the only place where settings are read from the environment. */
import { ranges, type Setting, setting, whole } from './setting.ts'

export const settings = {
  DATABASE_URL: setting({
    default: 'file:data/footfall.db',
    description: 'Where everything is kept: `file:…` (SQLite) or `postgres://…`',
    parse: text => (/^file:.+|^postgres(ql)?:\/\/.+/.test(text) ? text : undefined),
    wants: '"file:…" or "postgres://…"',
  }),
  PORT: setting({ default: '8080', description: 'Port to listen on; 0 takes a free one', ...whole(0, 65_535) }),
  HOST: setting({ default: '127.0.0.1', description: 'Address to listen on; `0.0.0.0` for all', parse: text => text, wants: 'an address' }),
  BASE_URL: setting({
    default: '',
    description: 'Address the service has for the outside, without a slash at the end; default `http://HOST:PORT`',
    parse: text => (text === '' || /^https?:\/\/[^/?#]+(\/[^?#]*[^/?#])?$/.test(text) ? text : undefined),
    wants: 'an http:// or https:// address without a slash at the end',
  }),
  TRUSTED_PROXIES: setting({
    default: '',
    description: 'Comma list of addresses and CIDR ranges whose `X-Forwarded-For` is believed',
    ...ranges,
  }),
  OUTBOUND_ALLOW_CIDRS: setting({
    default: '',
    description: 'Comma list of addresses and CIDR ranges that webhooks, checks and notifications may call beside public ones',
    ...ranges,
  }),
  SECRET_KEY: setting({
    default: '',
    description:
      'Text that the signing secrets of webhooks and the URLs of channels are sealed with in the database, 32 characters or more; default: a key made at the first use, in `<database>.key` beside SQLite, inside the database with Postgres',
    parse: text => (text === '' || text.length >= 32 ? text : undefined),
    wants: 'at least 32 characters, such as `openssl rand -base64 32` prints',
  }),
  LOG_LEVEL: setting({
    default: 'info',
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    parse: text => (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(text) ? text : undefined),
    wants: 'one of fatal, error, warn, info, debug, trace, silent',
  }),
  METRICS_TOKEN: setting({
    default: '',
    description: 'Bearer token that `/metrics` asks for; without one it answers this machine and private networks only',
    parse: text => (/^[\x21-\x7e]*$/.test(text) ? text : undefined),
    wants: 'visible ASCII characters without spaces',
  }),
  RATE_TOKEN: setting({ default: '600', description: 'Requests a minute and token; 0 = no limit', ...whole(0, 1_000_000) }),
  RATE_ANONYMOUS: setting({
    default: '60',
    description: 'Requests a minute and address (of IPv6 its /64) without a token; 0 = no limit',
    ...whole(0, 1_000_000),
  }),
  RATE_FAILURES: setting({
    default: '20',
    description:
      'Failed authentications a minute with the same token from one address (of IPv6 its /64); to send none is no failure; 0 = no limit',
    ...whole(0, 1_000_000),
  }),
  RATE_FAILURES_ADDRESS: setting({
    default: '200',
    description: 'Failed authentications a minute and address with any tokens, after which it waits with every token; 0 = no limit',
    ...whole(0, 1_000_000),
  }),
  RATE_COSTLY: setting({
    default: '10',
    description: 'Requests a minute and token of operations that cost a lot; 0 = no limit',
    ...whole(0, 1_000_000),
  }),
  RATE_BATCH: setting({
    default: '6000',
    description: 'Hits a minute and address (of IPv6 its /64) that come in batches without a token; 0 = no limit',
    ...whole(0, 1_000_000),
  }),
  REPORT_THREADS: setting({ default: '1', description: 'Worker threads that answer reports', ...whole(1, 64) }),
  REPORT_CACHE_MB: setting({
    default: '200',
    description:
      'Most memory for decoded days and texts, each report thread; a site of ten million hits a year takes all of it, a small one a few MB',
    ...whole(1, 65_536),
  }),
} as const

type Parsed<S> = S extends Setting<infer T> ? T : never
export type Config = { readonly [K in keyof typeof settings]: Parsed<(typeof settings)[K]> } & {
  /** The value of an area's setting. @throws Error if no area of the table declares it */
  of<T>(setting: Setting<T>): T
}

/**
 * @param ofAreas settings declared by areas, by name: `table.settings`
 * @throws Error with one line that names every invalid setting
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, ofAreas: Readonly<Record<string, Setting>> = {}): Config {
  const faults: string[] = []
  const read = <T>([name, row]: readonly [string, Setting<T>]) => {
    const value = row.parse(env[name]?.trim() || row.default)
    // Do not repeat the text: it may be a secret, such as a database password.
    if (value === undefined) faults.push(`${name} must be ${row.wants}`)
    return value
  }
  const own = Object.entries<Setting>(settings).map(row => [row[0], read(row)])
  const values = new Map(Object.entries(ofAreas).map(row => [row[1], read(row)]))
  if (faults.length > 0) throw new Error(`Configuration: ${faults.join('; ')}`)
  return Object.freeze({
    ...(Object.fromEntries(own) as Omit<Config, 'of'>), // each entry has the name and type of its row
    of<T>(setting: Setting<T>): T {
      if (!values.has(setting)) throw new Error(`No area declares this setting in its area.ts: ${setting.description}`)
      return values.get(setting) as T // parsed by the same setting
    },
  })
}
