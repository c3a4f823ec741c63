/**
 * Imports the file of a workspace. Sites are hidden until their days are stored, in pieces whose position is stored with them; the
 * last transaction stores their settings and shows them. Killed at any moment, the next run continues.
 */
import { createHash } from 'node:crypto'
import { Failure } from '../../../../runtime/table/errors.ts'
import { adding } from '../../../../runtime/table/quota.ts'
import type { TaskContext } from '../../../../runtime/table/task.ts'
import { secretBox } from '../../../../runtime/settings/secret-box.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { isDataError } from '../../../../storage/hits/data-error.ts'
import { isUniqueViolation, type Store, type Trx } from '../../../../storage/store.ts'
import type { ImportRow } from '../../../../storage/tables/index.ts'
import { yieldWhereDue } from '../../../../storage/system/event-loop.ts'
import type { CarriedTable } from '../../../../storage/transfer/carried-tables.ts'
import type { CarriedRow } from '../../../../storage/transfer/read-rows.ts'
import { addHiddenSites, dayWriter, insertCarried, replaceCarried, showSite } from '../../../../storage/transfer/write-rows.ts'
import { addGroupOfAll, newIdentityKey, site_created } from '../../../sites/sites/index.ts'
import { isLive, toSite } from '../../../sites/sites/records.ts'
import { files } from '../../files/index.ts'
import { m } from '../messages.ts'
import { openArchive } from '../sources/archive.ts'
import { freshAlert } from './check-rows.ts'
import { type DayLine, dayFollower, daysIn } from './day-lines.ts'
import { idsIn, type Names, namesFor, planOf, refuseTakenNames, siteNamesIn } from './plan.ts'
import { damaged, type Piece, readWorkspaceFile, type WorkspaceFile } from './read-file.ts'

type Context = Pick<TaskContext, 'store' | 'use' | 'now' | 'newId' | 'random' | 'emitIn' | 'signal'>

export interface RunWorkspace {
  readonly row: ImportRow
  /** Moves the position in a transaction. @throws if the import was cancelled, or another run has continued it */
  advance(trx: Trx, change: Pick<ImportRow, 'rows_read' | 'rows_taken' | 'progress'>, from: number): Promise<void>
  /** Ends the import in a transaction. */
  complete(trx: Trx, counts: { read: number; taken: number; refused: number }): Promise<unknown>
}

const PROGRESS_OF_PIECES = 98
/**
 * Rows of a transaction. A commit costs as much as many rows, so a transaction for each line of a day takes twice as long. With SQLite, hits
 * wait while a transaction runs.
 */
const BATCH = 2_000
/** Costs of the beginning of a day, in rows. */
const ROWS_OF_BEGIN = 20

const rowsOf = (piece: Piece): number => (piece.table ? piece.rows.length : piece.line.begins ? 0 : piece.line.count)
const sizeOf = (piece: Piece): number => (!piece.table && piece.line.begins ? ROWS_OF_BEGIN : rowsOf(piece))

/** @returns false if it was interrupted @throws JobFailure */
export async function runWorkspace(context: Context, { row, advance, complete }: RunWorkspace): Promise<boolean> {
  const { store, use, signal, now } = context
  const archive = await openArchive(use(files), row.id, row.filename)
  try {
    const file = await readWorkspaceFile(archive)
    const plan = planOf(row)
    const known = new Set([...idsIn(file).values()].flat())
    const names = namesFor(row, plan, known, file.description.workspace.id)
    let [at, taken] = [row.rows_read, row.rows_taken]
    const numbers = await store.transaction(async trx => {
      await advance(trx, { rows_read: at, rows_taken: taken, progress: row.progress }, at)
      return numbersOf(trx, { file, names, workspaceId: row.workspace_id })
    })
    const put = putter(context, { row, names, numbers })
    const follower = dayFollower()
    let [passed, bytes] = [0, 0]
    let batch: Piece[] = []
    let size = 0
    const storeBatch = async () => {
      const from = at
      at = passed
      for (const piece of batch) taken += rowsOf(piece)
      const progress = Math.min(PROGRESS_OF_PIECES, Math.floor((100 * bytes) / archive.file.size))
      const pieces = batch
      batch = []
      size = 0
      await sound(() =>
        store.transaction(async trx => {
          await advance(trx, { rows_read: at, rows_taken: taken, progress }, from)
          await put(trx, pieces)
        }),
      )
    }
    for await (const piece of file.pieces(read => (bytes = read))) {
      if (signal.aborted) return false
      if (!piece.table && !follower.fits(piece.line)) throw damaged('days')
      const skipped = Math.min(piece.lines, Math.max(0, at - passed))
      passed += piece.lines
      if (skipped === piece.lines) continue
      batch.push(piece.table ? { ...piece, rows: piece.rows.slice(skipped) } : piece)
      size += sizeOf(piece)
      if (size >= BATCH) await storeBatch()
    }
    if (batch.length > 0) await storeBatch()
    await sound(() =>
      store.transaction(async trx => {
        await advance(trx, { rows_read: at, rows_taken: taken, progress: PROGRESS_OF_PIECES }, at)
        await refuseTakenNames(trx, siteNamesIn(file), now())
        await finish(context, trx, { row, file, names })
        await complete(trx, { read: at, taken, refused: 0 })
      }),
    )
    return true
  } finally {
    await archive.close()
  }
}

/** If the database refuses rows, that is a fault of the file: an id that is there twice, or a value beyond its range. A fault of ours is not. */
async function sound<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const isOurs = error instanceof TypeError || error instanceof RangeError
    if (isUniqueViolation(error) || (isDataError(error) && !isOurs))
      throw new JobFailure('damaged', m.workspace_damaged({ place: m.same_twice() }))
    throw error instanceof Failure ? new JobFailure(error.code, error.sentence) : error
  }
}

type Numbers = ReadonlyMap<unknown, number>

/** The numbers that sites have here, by their numbers in the file. */
async function numbersOf(
  trx: Trx,
  { file, names, workspaceId }: { file: WorkspaceFile; names: Names; workspaceId: string },
): Promise<Numbers> {
  const own = file.sites.filter(({ kind }) => kind === 'site')
  const hidden = own.map(({ number: _, ...site }) => ({
    ...site,
    ...{ id: names.of(String(site.id)), workspace_id: workspaceId, domain: null, umami_id: null, aliases: '[]', texts_forgotten: 0 },
  }))
  const found = await addHiddenSites(trx, hidden)
  return new Map(own.map(({ id, number }) => [number, found.get(names.of(String(id))) ?? 0]))
}

interface Placing {
  readonly row: ImportRow
  readonly names: Names
  readonly numbers: Numbers
}

function putter({ store }: { store: Store }, { row, names, numbers }: Placing) {
  const days = dayWriter(store)
  const numberOf = (site: unknown): number => numbers.get(site) ?? 0
  const person = (number: unknown, person: unknown) =>
    createHash('sha256').update(`${row.id} ${number} ${person}`).digest('base64url').slice(0, 22)
  const changes: Partial<Record<CarriedTable['name'], (given: CarriedRow) => CarriedRow>> = {
    imports: given => ({
      ...given,
      id: names.of(String(given.id)),
      site_id: names.of(String(given.site_id)),
      workspace_id: row.workspace_id,
      removing: 0,
    }),
    // A deletion of the import leaves its hits, because other rows of the file may be among them.
    import_days: given => ({ ...given, import_id: names.of(String(given.import_id)), rev: 1, visitors: 0, alone: 0 }),
    persons: given => ({
      ...given,
      id: names.of(String(given.id)),
      site_id: numberOf(given.site_id),
      hash: person(given.site_id, given.person),
    }),
  }
  const byOwner: Readonly<Record<CarriedTable['by'], (given: CarriedRow) => CarriedRow>> = {
    number: given => ({ ...given, site_id: numberOf(given.site_id) }),
    site_id: given => ({ ...given, site_id: names.of(String(given.site_id)) }),
    import_id: given => ({ ...given, import_id: names.of(String(given.import_id)) }),
    workspace_id: given => given,
  }
  return async (trx: Trx, pieces: readonly Piece[]): Promise<void> => {
    const lines: DayLine[] = []
    for (const piece of pieces) {
      if (!piece.table) {
        lines.push({ ...piece.line, site: numberOf(piece.line.site) })
        continue
      }
      const { name, by } = piece.table
      await insertCarried(trx, name, piece.rows.map(changes[name] ?? byOwner[by]))
    }
    for (const day of daysIn(lines)) await days.put(trx, day)
  }
}

/** Shows the sites, and stores all settings. */
async function finish(
  { use, now, random, emitIn }: Context,
  trx: Trx,
  { row, file, names }: Omit<Placing, 'numbers'> & { file: WorkspaceFile },
): Promise<void> {
  const at = now()
  const emit = emitIn(trx, at)
  const { workspace_id } = row
  await addGroupOfAll(trx, workspace_id, at)
  for (const site of file.sites) {
    const id = names.of(String(site.id))
    if (site.kind === 'group') {
      const { number: _, ...group } = site
      await insertCarried(trx, 'sites', [{ ...group, id, workspace_id }])
      continue
    }
    await emit(adding, { workspaceId: workspace_id, quota: 'sites' })
    const key = site.identity === 'declared' ? await newIdentityKey(use(secretBox), trx, id, random) : null
    const shown = await showSite(trx, id, {
      domain: String(site.domain),
      umami_id: textOf(site.umami_id),
      aliases: String(site.aliases),
      identity_key: key,
    })
    if (!isLive(shown)) throw damaged('sites')
    await yieldWhereDue()
    await emit(site_created, { workspaceId: workspace_id, siteId: id, data: toSite(shown) })
  }
  for (const { table, rows } of file.settings) {
    const renamed: CarriedRow[] = []
    for (const each of rows) {
      renamed.push(renamedRow(each, names))
      await yieldWhereDue()
    }
    if (table.name === 'site_tracking') for (const each of renamed) await replaceCarried(trx, table.name, each)
    else if (table.name === 'alerts')
      await insertCarried(
        trx,
        table.name,
        renamed.map(each => ({ ...each, ...freshAlert, workspace_id, evaluate_at: each.enabled === 1 ? at : null })),
      )
    else await insertCarried(trx, table.name, table.by === 'workspace_id' ? renamed.map(each => ({ ...each, workspace_id })) : renamed)
  }
}

const textOf = (cell: unknown): string | null => (typeof cell === 'string' ? cell : null)

/** Columns that name another record of the file. */
const references = ['id', 'site_id', 'group_id', 'goal_id']
const json = ['filters', 'steps', 'cards', 'conditions', 'properties']

function renamedRow(given: CarriedRow, names: Names): CarriedRow {
  const row = { ...given }
  for (const name of references) if (typeof row[name] === 'string') row[name] = names.of(row[name])
  for (const name of json) if (typeof row[name] === 'string') row[name] = names.inJson(row[name])
  return row
}
