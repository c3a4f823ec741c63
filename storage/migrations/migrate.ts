/** Brings the schema of a database up to date. Safe to run at every start and by several processes at once. */
import { setTimeout } from 'node:timers/promises'
import { type Kysely, type MigrationResultSet, Migrator, sql } from 'kysely'
import { checkNotMoved } from '../installation/move-marks.ts'
import { upgradedBy } from '../installation/upgraded-by.ts'
import { tableNames } from '../sql/table-names.ts'
import type { Store } from '../store.ts'
import { tables } from '../tables/index.ts'
import { StorageUnavailable } from '../values/storage-unavailable.ts'
import { changeTriggers } from './change-triggers.ts'
import { createTables } from './create-table.ts'
import { createInstallationId, createInstanceKey } from './installation-secrets.ts'
import { runStep } from './run-step.ts'
import { recordedNames, steps } from './steps.ts'

/**
 * Runs the steps that the database lacks, in one transaction. A database without any gets all declared tables at once, and
 * every step is recorded as done.
 * @returns the recorded names of the steps
 * @throws Error if a newer version has changed the database, or a move has not ended or moved it away: no step ran
 * @throws StorageUnavailable if another process holds the lock longer than the store's patience: no step ran
 */
export async function migrate(store: Store): Promise<string[]> {
  const names = await tableNames(store.write, store.dialect)
  await checkNotMoved(store.write, names)
  if (await isMigrated(store, names)) return []
  // Without pending steps, no transaction is opened: such a start does not wait for locks.
  const isDone = (await migratorOf(store).getMigrations()).every(migration => migration.executedAt)
  const { error, results } = await retried(store, () => migratorOf(store, { disableTransactions: isDone }).migrateToLatest())
  if (error) throw await explained(store, error)
  return (results ?? []).filter(result => result.status === 'Success').map(result => result.migrationName)
}

/** The steps that a database lacks, and the newest one that it has; no steps for a new database. */
export async function pendingSteps({ write, dialect }: Store): Promise<{ readonly pending: readonly string[]; readonly newest: string }> {
  const recorded = (await tableNames(write, dialect)).has('kysely_migration')
    ? (await sql<{ name: string }>`select name from kysely_migration`.execute(write)).rows.map(({ name }) => name)
    : []
  const has = new Set(recorded)
  if (has.size === 0) return { pending: [], newest: '' }
  const known = recordedNames.filter(name => has.has(name))
  // Steps that this version does not know: it does not run any.
  const isNewer = recorded.some(name => !recordedNames.includes(name))
  return { pending: isNewer ? [] : recordedNames.filter(name => !has.has(name)), newest: known.at(-1) ?? '' }
}

/**
 * Whether exactly these steps are recorded: at most starts they are, and one query shows it. Kysely's migrator reads every
 * column of every table several times, which is a tenth of a start.
 */
async function isMigrated({ write }: Store, names: ReadonlySet<string>): Promise<boolean> {
  if (!names.has('kysely_migration')) return false
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(write)
  const recorded = new Set(rows.map(({ name }) => name))
  return recorded.size === recordedNames.length && recordedNames.every(name => recorded.has(name))
}

/** Repeats a run that ended in a deadlock with, or waited too long for, processes of the previous version on Postgres. */
async function retried({ dialect }: Store, run: () => Promise<MigrationResultSet>): Promise<MigrationResultSet> {
  for (let attempt = 1; ; attempt++) {
    const result = await run()
    const isLast = dialect.name === 'sqlite' || attempt === MAX_ATTEMPTS // SQLite's store waits itself
    if (isLast || !(result.error instanceof StorageUnavailable) || result.error.reason !== 'locked') return result
    await setTimeout(attempt * 100)
  }
}
const MAX_ATTEMPTS = 8

/** Explains an unknown recorded step, for which Kysely calls the database corrupt. */
async function explained(store: Store, error: unknown): Promise<unknown> {
  const [, newer] = /previously executed migration (\S+) is missing/.exec(error instanceof Error ? error.message : '') ?? []
  if (newer === undefined) return error
  const version = await upgradedBy(store)
  const install = version === undefined ? 'that version' : `Footfall ${version} or later`
  return new Error(`a newer version has changed it (${newer}): install ${install}, or restore a backup made before the update`)
}

/** Returns all declared tables. @throws Error if one of them is in no step, so that older databases would lack it */
function allTables(): string[] {
  const added = new Set<string>(Object.values(steps).flatMap(({ adds = [] }) => adds))
  const names = Object.keys(tables)
  const forgotten = names.filter(name => !added.has(name))
  if (forgotten.length === 0) return names
  throw new Error(`storage/tables declares ${forgotten.join(', ')}: no step in storage/migrations/steps.ts adds what is declared`)
}

/** Kysely's migrator locks, orders and records the steps, under the names that databases know. */
function migratorOf({ write, dialect }: Store, options: { disableTransactions?: boolean } = {}): Migrator {
  const position = (name: string): number => (recordedNames.includes(name) ? recordedNames.indexOf(name) : recordedNames.length)
  let isNew = false
  const migrations = Object.entries(steps).map(([name, { was = name }], i) => {
    const up = async (db: Kysely<unknown>): Promise<void> => {
      if (i === 0) {
        isNew = true
        await createTables(db, { dialect, names: allTables() }, { isLater: () => false })
        for (const create of [createInstanceKey, createInstallationId, changeTriggers]) await create(db, dialect)
      }
      if (!isNew) await runStep(db, dialect, name)
    }
    return [was, { up }] as const
  })
  return new Migrator({
    ...options,
    db: write,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
    nameComparator: (a, b) => position(a) - position(b) || a.localeCompare(b),
  })
}
