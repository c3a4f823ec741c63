/** The runtime's own settings, and the only place where settings are read from the environment. */
import { keysIn } from './secret-keys.ts'
import { ranges, type Setting, SettingFault, setting, whole } from './setting.ts'
import { telemetrySettings } from './telemetry.ts'

/** Names that are put into SQL unquoted. */
const name = {
  parse: (text: string) => (/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(text) ? text : undefined),
  wants: 'a name of letters, digits and underscores',
}

export const settings = {
  DATABASE_URL: setting({
    default: 'file:data/footfall.db',
    description: 'Address of the database: `file:…` (SQLite) or `postgres://…`, with `?pgbouncer=true` behind a transaction pooler',
    parse: text => (/^file:.+|^postgres(ql)?:\/\/.+/.test(text) ? text : undefined),
    wants: '"file:…" or "postgres://…"',
  }),
  DATABASE_CONNECTIONS: setting({
    default: '10',
    description: 'Postgres: most connections of a process, plus one for each report thread; at most half of them store hits at a time',
    ...whole(2, 500),
  }),
  CLICKHOUSE_URL: setting({
    default: '',
    description: '`http(s)://…` of a ClickHouse server for sealed days; `DATABASE_URL` must then be Postgres (docs/clickhouse.md)',
    parse: text => (text === '' || /^https?:\/\/[^/?#@]+\/?$/.test(text) ? text : undefined),
    wants: 'an http:// or https:// address without a user and a path',
  }),
  CLICKHOUSE_USER: setting({ default: 'default', description: 'ClickHouse: user', parse: text => text, wants: 'a name' }),
  CLICKHOUSE_PASSWORD: setting({ default: '', description: 'ClickHouse: password of the user', parse: text => text, wants: 'a password' }),
  CLICKHOUSE_DATABASE: setting({ default: 'default', description: 'ClickHouse: database of the tables', ...name }),
  CLICKHOUSE_CLUSTER: setting({
    default: '',
    description: 'ClickHouse: name of the cluster whose shards and replicas have the tables; default: only the server itself',
    parse: text => (text === '' ? text : name.parse(text)),
    wants: name.wants,
  }),
  CLICKHOUSE_GRACE_DAYS: setting({
    default: '7',
    description: 'ClickHouse: days after which rows of a sealed day leave Postgres',
    ...whole(3, 3_650),
  }),
  PACK_AFTER_DAYS: setting({
    default: '2',
    description:
      'Without ClickHouse: days after which the rows of a sealed day are packed into blocks, which take a fifth of the disk; `off` for never',
    parse: text => (text === 'off' ? null : whole(2, 3_650).parse(text)),
    wants: '`off`, or a whole number from 2 to 3650',
  }),
  UPGRADE_COPY: setting({
    default: 'on',
    description: 'SQLite: `on` copies the database next to it before a new version changes its schema, `off` does not (docs/upgrading.md)',
    parse: text => (text === 'on' ? true : text === 'off' ? false : undefined),
    wants: '`on` or `off`',
  }),
  PORT: setting({ default: '8080', description: 'Port to listen on; 0 takes a free one', ...whole(0, 65_535) }),
  HOST: setting({ default: '127.0.0.1', description: 'Address to listen on; `0.0.0.0` for all', parse: text => text, wants: 'an address' }),
  KEEP_ALIVE_SECONDS: setting({
    default: '75',
    description: 'Seconds that an idle connection stays open; more than a proxy in front keeps its own, or it answers 502 now and then',
    ...whole(5, 900),
  }),
  DRAIN_DELAY_SECONDS: setting({
    default: '0',
    description: 'Seconds from SIGTERM to when the port closes. In this time `/readyz` answers 503, so that load balancers go elsewhere',
    ...whole(0, 300),
  }),
  BASE_URL: setting({
    default: '',
    description:
      'Address of the service for browsers and clients, without a slash at the end, also with a path: `https://example.com/stats`. Default: `http://HOST:PORT`',
    parse: text => (text === '' || /^https?:\/\/[^/?#]+(\/[^?#]*[^/?#])?$/.test(text) ? text : undefined),
    wants: 'an http:// or https:// address without a slash at the end',
  }),
  TRUSTED_PROXIES: setting({
    default: '',
    description: 'Comma list of addresses and CIDR ranges whose `X-Forwarded-For` is believed',
    ...ranges,
  }),
  API_ORIGINS: setting({
    default: '',
    description:
      'Comma list of origins whose pages may call the API from scripts, with a token, such as `https://intern.example.com`; `*` for all',
    parse: text => {
      const list = text
        .split(',')
        .map(part => part.trim())
        .filter(Boolean)
      return list.every(one => one === '*' || (URL.canParse(one) && new URL(one).origin === one)) ? list : undefined
    },
    wants: 'a comma list of origins such as https://example.com',
  }),
  OUTBOUND_ALLOW_CIDRS: setting({
    default: '',
    description: 'Comma list of addresses and CIDR ranges that webhooks, checks and notifications may call in addition to public ones',
    ...ranges,
  }),
  SECRET_KEY: setting({
    default: '',
    description:
      'Key that seals secrets in the database, for example of webhooks, two-factor apps and single sign-on: 32 characters or more. To replace it, a comma list, the newest first: `new,old` (docs/operations.md). Default: a key made at the first use, in `<database>.key` next to the SQLite file, inside the database with Postgres',
    parse: text => (keysIn(text) ? text : undefined),
    wants: 'a comma list of keys of at least 32 characters, such as `openssl rand -base64 32` prints',
  }),
  LOG_LEVEL: setting({
    default: 'info',
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    parse: text => (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(text) ? text : undefined),
    wants: 'one of fatal, error, warn, info, debug, trace, silent',
  }),
  REQUEST_LOG: setting({
    default: 'off',
    description: '`on` logs a line for each request: method, route, status and milliseconds, without addresses or anything that was sent',
    parse: text => (text === 'on' ? true : text === 'off' ? false : undefined),
    wants: '`on` or `off`',
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
      'Failed authentications a minute with the same token from one address (of IPv6 its /64); a request without a token does not count; 0 = no limit',
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
  ...telemetrySettings,
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
    try {
      const value = row.parse(env[name]?.trim() || row.default)
      // Do not repeat the text: it may be a secret, such as a database password.
      if (value === undefined) faults.push(`${name} must be ${row.wants}`)
      return value
    } catch (thrown) {
      if (!(thrown instanceof SettingFault)) throw thrown
      faults.push(`${name}: ${thrown.message}`)
      return undefined
    }
  }
  const own = Object.entries<Setting>(settings).map(row => [row[0], read(row)])
  const values = new Map(Object.entries(ofAreas).map(row => [row[1], read(row)]))
  // Sealed days leave the database, so several processes must see at once where a day is.
  const { CLICKHOUSE_URL: cluster, DATABASE_URL: database } = Object.fromEntries(own)
  if (cluster && typeof database === 'string' && database.startsWith('file:'))
    faults.push('CLICKHOUSE_URL needs DATABASE_URL to be "postgres://…": ClickHouse has sealed days only, and Postgres everything else')
  if (faults.length > 0) throw new Error(`Configuration: ${faults.join('; ')}`)
  return Object.freeze({
    ...(Object.fromEntries(own) as Omit<Config, 'of'>), // each entry has the name and type of its row
    of<T>(setting: Setting<T>): T {
      if (!values.has(setting)) throw new Error(`No area declares this setting in its area.ts: ${setting.description}`)
      return values.get(setting) as T // parsed by the same setting
    },
  })
}

/** The cluster that stores sealed days outside of the database; undefined without CLICKHOUSE_URL. */
export const clusterOf = ({
  CLICKHOUSE_URL: url,
  CLICKHOUSE_USER: user,
  CLICKHOUSE_PASSWORD: password,
  CLICKHOUSE_DATABASE: database,
  CLICKHOUSE_CLUSTER: cluster,
}: Config) => (url === '' ? undefined : { url, user, password, database, cluster })
