/** `footfall move --to postgres://…`: moves the installation to another database while the service runs. docs/operations.md says more. */
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { filesNextTo } from '../operations/exchange/files/default-folder.ts'
import type { Config } from '../runtime/settings/config.ts'
import { cancelLog } from '../storage/move/change-log.ts'
import { type Moved, move } from '../storage/move/move.ts'
import { fileOf, openStore, type Store } from '../storage/store.ts'
import { StorageUnavailable } from '../storage/values/storage-unavailable.ts'
import { commandHere } from './command-here.ts'
import { commandLine } from './command-line.ts'
import { openReportComparison } from './different-reports.ts'
import { command, commandPatienceMs, ownSettings, placeOf, random } from './machine.ts'
import { openProgress, type Progress } from './progress.ts'

const program = commandLine('move')
  .description('Moves the database at DATABASE_URL to an empty one, while the service runs; repeated, it continues (docs/operations.md).')
  .option('--to <url>', 'the new database: postgres://… or file:…')
  .option('--cancel', 'ends a move, or uses a database again that was moved away')
  .allowExcessArguments(false)
  .parse()
const { to, cancel = false } = program.opts<{ to?: string; cancel?: boolean }>()

/** Attempts in a row that may fail because a database is away. */
const MAX_FAILURES = 30
const AGAIN_MS = 2_000

const phases = { copy: 'rows copied', changes: 'rounds of changes', compare: 'tables compared', pause: 'pauses' } as const

export const run = (): Promise<void> =>
  command(async config => {
    if (cancel === (to !== undefined)) throw new Error('Give either --to with the new database, or --cancel')
    if (to === undefined) return cancelMove(config)
    checkTarget(config, to)
    const stop = new AbortController()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
    const bar = openProgress()
    const moved = await inSpiteOfOutages(config, to, stop.signal, bar).finally(() => bar.end())
    if (moved) print(report(moved, config, to))
    else {
      process.stderr.write('The move was interrupted. Repeat the command to continue, or end the move with --cancel.\n')
      process.exitCode = 1
    }
  }, ownSettings)

const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`)

function checkTarget({ DATABASE_URL }: Config, url: string): void {
  if (!/^file:.+|^postgres(ql)?:\/\/.+/.test(url)) throw new Error('--to must be "file:…" or "postgres://…"')
  const [from, into] = [fileOf(DATABASE_URL), fileOf(url)]
  if (from === undefined && into === undefined) throw new Error('Both databases are Postgres: pg_dump and pg_restore move those')
  if (from !== undefined && into !== undefined) throw new Error('Both databases are files: `backup` copies those')
}

async function cancelMove({ DATABASE_URL }: Config): Promise<void> {
  const store = openStore(DATABASE_URL, { patienceMs: commandPatienceMs })
  try {
    const was = await cancelLog(store)
    print([was ? 'The move is cancelled. The database is as it was; delete the target.' : 'There is no move.'])
  } finally {
    await store.close()
  }
}

/** Continues when a database is back that was away. */
async function inSpiteOfOutages(config: Config, url: string, signal: AbortSignal, bar: Progress): Promise<Moved | undefined> {
  let failures = 0
  for (;;) {
    let advanced = false
    const [source, target] = [config.DATABASE_URL, url].map(each => openStore(each, { patienceMs: commandPatienceMs, connections: 4 }))
    if (!source || !target) return undefined
    const reports = openReportComparison(source, target)
    try {
      return await move(source, target, {
        signal,
        place: placeOf(url),
        random,
        progress(phase, done, total) {
          advanced = true
          bar.show(total === 0 ? 1 : done / total, `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} ${phases[phase]}`)
        },
        compareReports: reports.compare,
      })
    } catch (error) {
      failures = advanced ? 1 : failures + 1
      if (!(error instanceof StorageUnavailable) || failures > MAX_FAILURES || signal.aborted) throw error
      process.stderr.write(`\n${error.message}. The move continues when it is back.\n`)
      await setTimeout(AGAIN_MS)
    } finally {
      await reports.close()
      await closed(source)
      await closed(target)
    }
  }
}

/** A lost connection cannot be closed properly. */
const closed = (store: Store): Promise<void> => store.close().catch(() => {})

function report({ tables, pausedMs }: Moved, { DATABASE_URL, SECRET_KEY }: Config, url: string): string[] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const [from, into] = [fileOf(DATABASE_URL), fileOf(url)]
  const key =
    SECRET_KEY !== ''
      ? 'SECRET_KEY stays as it is.'
      : into === undefined
        ? 'The key of the secrets is now in the database; set SECRET_KEY to keep it apart.'
        : `The key of the secrets is now in ${path.resolve(into)}.key: keep it with the database.`
  return [
    `${rows.toLocaleString('en-US')} rows of ${tables.filter(table => table.rows > 0).length} tables are in ${placeOf(url)}. Each was compared, and so were reports.`,
    `Changes have waited for ${(pausedMs / 1000).toFixed(1)} s so far, and wait until you restart the service. Hits are kept on the disk meanwhile (HITS_SPOOL).`,
    '',
    'Restart the service, in the same folder, with:',
    `  DATABASE_URL=${into === undefined ? withoutPassword(url) : url}`,
    ...(process.env.FILES_URL
      ? []
      : [`  FILES_URL=file:${path.resolve(from === undefined ? 'data/files' : (filesNextTo(DATABASE_URL) ?? ''))}`]),
    ...(process.env.BACKUP_URL && into === undefined ? ['  BACKUP_URL=          (it copies SQLite; pg_dump backs up Postgres)'] : []),
    key,
    'All other settings stay.',
    '',
    `The database ${placeOf(DATABASE_URL)} stays as it was, and refuses changes. To go back to it without what comes after now: ${commandHere('move')} --cancel`,
  ]
}

/** As it was given, without the password. */
function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  if (parsed.password !== '') parsed.password = 'PASSWORD'
  return parsed.href
}
