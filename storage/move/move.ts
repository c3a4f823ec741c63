/**
 * Moves an installation to another database while the service runs (docs/operations.md): SQLite to Postgres, or back.
 *
 * 1. Triggers of the source record the keys of all rows that change. The rows are copied in pages. Each page is copied in a
 *    transaction that also stores the key of its last row.
 * 2. Rows that changed are copied again, until few are left.
 * 3. All rows are compared, except those that changed.
 * 4. The source refuses changes. The last ones are copied, the constraints are created and the rows are counted.
 * 5. The source is marked as moved.
 *
 * If the process is killed at any moment, the next run continues. A pause ends by itself, and only a source that is still paused is
 * marked.
 */
import { checkMoved } from '../moved-days/copies.ts'
import { tableNames } from '../sql/table-names.ts'
import type { Store } from '../store.ts'
import { beginLog, type Change, changesOf, forgetChanges, keepPaused, pause, resume } from './change-log.ts'
import { compareTable, type RowDifference } from './compare.ts'
import { type Constraint, restoreConstraints } from './constraints.ts'
import { sourceMark } from '../installation/move-marks.ts'
import { type MovedTable, movedTables } from './moved-tables.ts'
import { countOf, deleteByKeys, insertRows, isSame, type Key, keyOf, type MovedRow, pagesOf, rowsByKeys } from './rows.ts'
import { moveSecrets } from './secrets.ts'
import { beginTarget, checkSteps, checkTarget, copiedOf, endTarget, raiseSerials, recordCopied } from './target.ts'

export interface MoveWork {
  /** When aborted, the next run continues. */
  readonly signal: AbortSignal
  /** Address of the target, without its password. */
  readonly place: string
  random(size: number): Buffer
  progress(phase: 'copy' | 'changes' | 'compare' | 'pause', done: number, total: number): void
  /**
   * Compares some reports of both databases. Called before the pause to load the days that no longer change, and again during it.
   * @returns the sites whose reports differ
   */
  compareReports(isPaused: boolean): Promise<readonly string[]>
}

export interface Moved {
  readonly tables: readonly { readonly name: string; readonly rows: number }[]
  /** How long the source refused changes before it was marked as moved, ms. */
  readonly pausedMs: number
}

/** Changes that one transaction of the target copies. */
const CHANGES_AT_ONCE = 2_000
/** With fewer changes left, the pause may begin. */
const FEW_CHANGES = 500
/** After this number of rounds, the pause begins with any number of changes left. */
const MAX_ROUNDS = 1_000
/** A pause ends after this number of seconds, unless it is extended. */
const PAUSE_SECONDS = 30
const EXTEND_EVERY_MS = 5_000

/** @returns undefined if it was interrupted @throws Error for the operator; nothing is lost, and the next run continues */
export async function move(source: Store, target: Store, work: MoveWork): Promise<Moved | undefined> {
  await checkSource(source)
  const known = await sourceMark(source.read, await tableNames(source.read, source.dialect))
  await namingTarget(() => checkTarget(target, known?.id))
  const { id, state } = await beginLog(source, work.place)
  const constraints = await beginTarget(target, id)
  if (state !== 'moved') {
    await copyAll(source, target, work)
    await copyChanges(source, target, work)
    if (work.signal.aborted) return undefined
    await compareAll(source, target, work)
    if (work.signal.aborted) return undefined
    await copyChanges(source, target, work)
    await restoreConstraints(target, constraints, 'unique')
    await work.compareReports(false) // the result may differ, because the source still changes
    await copyChanges(source, target, work)
  }
  return work.signal.aborted ? undefined : finish({ source, target, constraints, work, isMoved: state === 'moved' })
}

async function checkSource(source: Store): Promise<void> {
  const names = await tableNames(source.write, source.dialect)
  if (!names.has('kysely_migration')) throw new Error('the database at DATABASE_URL is empty: there is nothing to move')
  await checkSteps(source, 'the database at DATABASE_URL')
  await checkMoved({ ...source, cluster: undefined })
}

async function namingTarget<T>(run: () => Promise<T>): Promise<T> {
  return run().catch((error: unknown) => {
    if (error instanceof Error && error.name === 'Error') throw new Error(`The target cannot be used: ${error.message}`, { cause: error })
    throw error
  })
}

async function copyAll(source: Store, target: Store, { signal, progress }: MoveWork): Promise<void> {
  const counts = new Map<string, number>()
  for (const table of movedTables) counts.set(table.name, await countOf(source, table))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let done = 0
  for (const table of movedTables) {
    let copied = await copiedOf(target, table)
    const pages = pagesOf(source, table)
    done += copied.rows
    while (!copied.isDone && !signal.aborted) {
      const rows = await pages.next(copied.after)
      const last = rows.at(-1)
      const next = { after: last ? keyOf(table, last) : copied.after, rows: copied.rows + rows.length, isDone: !last }
      await target.transaction(async trx => {
        await insertRows(target, trx, table, rows)
        await recordCopied(trx, table, next)
      })
      copied = next
      done += rows.length
      progress('copy', done, Math.max(total, done))
    }
  }
}

/** Copies rows that changed, until few changes are left. */
async function copyChanges(source: Store, target: Store, { signal, progress }: MoveWork): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS && !signal.aborted; round++) {
    const changes = await changesOf(source, CHANGES_AT_ONCE)
    await copyRows(source, target, changes)
    await forgetChanges(source, changes)
    progress('changes', round, round + 1)
    if (changes.length < FEW_CHANGES) return
  }
}

/** Copies the current rows of these changes. All are deleted before any is inserted, so that rows can exchange unique values. */
async function copyRows(source: Store, target: Store, changes: readonly Change[]): Promise<void> {
  const perTable = keysPerTable(changes)
  const read: (readonly [MovedTable, readonly MovedRow[]])[] = []
  for (const [table, keys] of perTable) read.push([table, await rowsByKeys(source, source.read, table, keys)])
  if (read.length === 0) return
  await target.transaction(async trx => {
    for (const [table, keys] of perTable) await deleteByKeys(target, trx, table, keys)
    for (const [table, rows] of read) await insertRows(target, trx, table, rows)
  })
}

/** The distinct keys of each table, parents first. */
function keysPerTable(changes: readonly Change[]): Map<MovedTable, Key[]> {
  const found = new Map<string, Map<string, Key>>()
  for (const { name, key } of changes) {
    const keys = found.get(name) ?? new Map<string, Key>()
    keys.set(JSON.stringify(key), key)
    found.set(name, keys)
  }
  return new Map(movedTables.filter(({ name }) => found.has(name)).map(table => [table, [...(found.get(table.name)?.values() ?? [])]]))
}

async function compareAll(source: Store, target: Store, { signal, progress }: MoveWork): Promise<void> {
  for (const [done, table] of movedTables.entries()) {
    progress('compare', done, movedTables.length)
    const different = await compareTable(source, target, table, signal)
    if (different) throw new Error(described(different))
  }
}

const described = ({ table, key }: RowDifference): string =>
  `A row of ${table} (${JSON.stringify(key)}) is not the same in the target: create the target again, empty, and repeat the move`

interface Ending {
  readonly source: Store
  readonly target: Store
  readonly constraints: readonly Constraint[]
  readonly work: MoveWork
  /** Whether the source is already marked, because the process was killed after that. */
  readonly isMoved: boolean
}

async function finish({ source, target, constraints, work, isMoved }: Ending): Promise<Moved> {
  const began = performance.now()
  if (!isMoved) await pause(source, PAUSE_SECONDS)
  let isHeld = true
  const extending = setInterval(() => {
    void keepPaused(source, { seconds: PAUSE_SECONDS }).then(
      held => {
        isHeld &&= held
      },
      () => {},
    )
  }, EXTEND_EVERY_MS)
  try {
    work.progress('pause', 0, 1)
    await copyLastChanges(source, target)
    await moveSecrets(source, target, work.random)
    await restoreConstraints(target, constraints, 'unique')
    await restoreConstraints(target, constraints, 'foreign')
    await raiseSerials(target)
    const tables = await countTables(source, target)
    const different = isMoved ? [] : await work.compareReports(true)
    if (different.length > 0) throw new Error(`Reports are not the same in the target: ${different.slice(0, 5).join(', ')}`)
    await checkSteps(source, 'the database at DATABASE_URL')
    if (!isHeld || !(await keepPaused(source, 'moved'))) throw new Error('The pause ended before the move: repeat the command')
    const pausedMs = performance.now() - began
    await endTarget(target)
    return { tables, pausedMs }
  } catch (error) {
    const mark = await sourceMark(source.read, await tableNames(source.read, source.dialect)).catch(() => undefined)
    if (mark?.state !== 'moved') await resume(source).catch(() => {}) // else the pause ends by itself
    throw error
  } finally {
    clearInterval(extending)
  }
}

/** Copies all remaining changes in one transaction of the target. They stay recorded until it is committed. */
async function copyLastChanges(source: Store, target: Store): Promise<void> {
  const changes = await changesOf(source, 100_000_000)
  await copyRows(source, target, changes)
  for (const [table, keys] of keysPerTable(changes)) {
    const [left, right] = [await rowsByKeys(source, source.read, table, keys), await rowsByKeys(target, target.read, table, keys)]
    const there = new Map(right.map(row => [JSON.stringify(keyOf(table, row)), row]))
    const different = left.find(row => {
      const other = there.get(JSON.stringify(keyOf(table, row)))
      return !other || !isSame(table, row, other)
    })
    if (different) throw new Error(described({ table: table.name, key: keyOf(table, different) }))
  }
  for (let from = 0; from < changes.length; from += CHANGES_AT_ONCE)
    await forgetChanges(source, changes.slice(from, from + CHANGES_AT_ONCE))
}

async function countTables(source: Store, target: Store): Promise<Moved['tables']> {
  const tables: { name: string; rows: number }[] = []
  for (const table of movedTables) {
    const [rows, there] = [await countOf(source, table), await countOf(target, table)]
    if (rows !== there)
      throw new Error(`${table.name} has ${rows} rows, and ${there} in the target: create the target again, empty, and repeat the move`)
    tables.push({ name: table.name, rows })
  }
  return tables
}
