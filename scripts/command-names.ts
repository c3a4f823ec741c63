/** The commands of this machine, as `footfall --help` lists them. */
export const summaries = {
  serve: 'serve, as without a command',
  setup: 'make an owner, a workspace, a site and a token',
  token: 'make another token',
  'sign-in-link': 'make a link that signs a member in',
  backup: 'copy a SQLite database while it is in use',
  restore: 'put a backup in the place of the SQLite database',
  keys: 'say which keys of SECRET_KEY are still needed, and replace them',
  migrate: 'bring the schema of the database up to date, or rehearse that',
  move: 'move the installation to another database while the service runs',
  vacuum: 'rewrite the SQLite database without its free space',
  packed: 'check packed days, or unpack all of them',
  import: 'import hits with their times from a file',
  clickhouse: 'move sealed days of a Postgres database to ClickHouse, and back',
  probe: 'probe uptime checks from another location',
  crawlers: 'send a web server’s log, to see crawlers',
  tail: 'count visits from a web server’s log, without a script',
  plans: 'list the plans of workspaces, or give one a plan',
  affiliates: 'decide about affiliates, and pay them',
  demo: 'fill a database with two years of a shop, and serve it',
} as const satisfies Readonly<Record<string, string>>

export type CommandName = keyof typeof summaries

export const isCommand = (name: string): name is CommandName => Object.hasOwn(summaries, name)
