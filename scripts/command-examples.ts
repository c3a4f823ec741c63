/** Examples of the commands of this machine, as their help shows them: what a line does, and its arguments. */
import type { CommandName } from './command-names.ts'

export type Example = readonly [does: string, args: string]

export const examples: Readonly<Record<CommandName, readonly [Example, ...Example[]]>> = {
  serve: [
    ['One process that does everything', ''],
    ['Only requests; another process with --role worker runs the tasks', '--role web'],
  ],
  setup: [['A first site', '--email ada@example.com --site example.com --timezone Europe/Berlin']],
  token: [
    ['All permissions', ''],
    ['Only to read reports, until the end of the year', '--name Reports --permissions analytics.read --expires 2026-12-31T23:59:59Z'],
  ],
  'sign-in-link': [
    ['A lost password', '--email ada@example.com'],
    ['A lost phone and lost recovery codes', '--email ada@example.com --reset-two-factor'],
  ],
  backup: [['Into a folder', '/var/backups/footfall']],
  restore: [['While the service is stopped', '/var/backups/footfall']],
  keys: [
    ['May an older key of SECRET_KEY go?', 'status'],
    ['Seal secrets again with the newest key now', 'reseal'],
  ],
  migrate: [['Before an upgrade', '--dry-run']],
  move: [
    ['From SQLite to Postgres', '--to postgres://footfall@db.example.com/footfall'],
    ['Back to a file', '--to file:data/footfall.db'],
  ],
  vacuum: [['While the service is stopped', '']],
  packed: [['Are all packed days complete?', 'check']],
  import: [
    ['An export of another product', 'export.zip --source plausible --site pa_1kkbswhg0ve4v24ygxaev3v'],
    ['Only check it', 'export.zip --source plausible --site pa_1kkbswhg0ve4v24ygxaev3v --dry-run'],
    ['A file of your own', 'hits.csv --site pa_1kkbswhg0ve4v24ygxaev3v --map timestamp=created_at,url=page'],
  ],
  clickhouse: [
    ['Copy sealed days', 'fill'],
    ['Compare them', 'check --days 50'],
  ],
  probe: [['With the token in PROBE_TOKEN', '--server https://footfall.example.com --location Frankfurt']],
  crawlers: [
    [
      'With the token in FOOTFALL_TOKEN',
      '/var/log/nginx/access.log --follow --server https://footfall.example.com --site pa_1kkbswhg0ve4v24ygxaev3v',
    ],
  ],
  tail: [
    [
      'With the token in FOOTFALL_TOKEN, from the end of the log on',
      '/var/log/nginx/access.log --server https://footfall.example.com --site pa_1kkbswhg0ve4v24ygxaev3v',
    ],
  ],
  plans: [
    ['Plans of all workspaces', 'assigned'],
    ['Another plan', 'assign ws_1kkbswhg0ve4v24ygxaev3v pro'],
  ],
  affiliates: [
    ['Who applied', 'list'],
    ['Let an applicant in', 'approve ada@example.com'],
  ],
  demo: [['A smaller shop, without serving it', '--hits 20000 --fill-only']],
}

/** @param called the command as it was typed, for example `footfall plans` */
export const examplesHelp = (called: string, shown: readonly Example[]): string =>
  `\nExamples:\n${shown.map(([does, args]) => `  # ${does}\n  ${`${called} ${args}`.trimEnd()}\n`).join('')}`.trimEnd()
