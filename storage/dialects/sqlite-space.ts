/**
 * The pages of a SQLite file that hold nothing. Without `auto_vacuum` a file never becomes smaller; with `incremental`, pages
 * from its end are moved to free ones in small steps, while the service runs (sqlite.org/pragma.html#pragma_auto_vacuum).
 */
import fs from 'node:fs'
import path from 'node:path'
import { isBusy } from './sqlite-errors.ts'
import { openFile, type SqliteFile } from './sqlite-library.ts'

/** The setting of a file that can become smaller; it is stored in the file. */
const incremental = 2
/** VACUUM writes a copy, and a journal of what it replaces. */
const copies = 2

export interface Space {
  readonly pageSize: number
  readonly pages: number
  readonly freePages: number
  /** Whether free pages can be given back while the service runs. */
  readonly canShrink: boolean
}

/** Sets it for a new file: a file with tables would have to be vacuumed as a whole. */
export function makeShrinkable(database: SqliteFile): void {
  if (database.pragma('page_count', { simple: true }) === 0) database.pragma('auto_vacuum = INCREMENTAL')
}

export function spaceOf(database: SqliteFile): Space {
  const read = (name: string) => Number(database.pragma(name, { simple: true }))
  return {
    pageSize: read('page_size'),
    pages: read('page_count'),
    freePages: read('freelist_count'),
    canShrink: read('auto_vacuum') === incremental,
  }
}

/**
 * Gives back free pages in one transaction, at most the given number. It is not flushed to the disk on its own: if it is lost, the
 * pages are free again.
 * @returns false if a transaction is under way, here or in another process: try later
 */
export function giveBackPages(database: SqliteFile, pages: number): boolean {
  if (database.inTransaction) return false
  try {
    database.pragma('synchronous = NORMAL')
    database.exec(`pragma incremental_vacuum(${pages})`) // only exec() runs the pragma to its end
    return true
  } catch (error) {
    if (!isBusy(error)) throw error
    return false
  } finally {
    database.pragma('synchronous = FULL')
  }
}

/**
 * Rewrites a file that no process uses without its free pages, so that it can become smaller from then on. A killed process
 * leaves a journal, with which SQLite restores the file when it is next opened.
 * @returns bytes before and after
 * @throws Error if the file is in use, is not a database, or if the disk has too little space
 */
export function vacuumFile(file: string): { before: number; after: number } {
  if (!fs.existsSync(file)) throw new Error('there is no such file')
  const folder = path.dirname(path.resolve(file))
  process.env.SQLITE_TMPDIR = folder // /tmp may be small, or in memory
  const database = openFile(file, { fileMustExist: true, timeout: 0 })
  try {
    database.pragma('temp_store = FILE')
    database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('journal_mode = DELETE') // writes the log into the file, which SQLite refuses while another process has it open
    database.exec('begin exclusive; commit') // has the lock from now on until the file is closed
    const before = fs.statSync(file).size
    checkRoom(folder, spaceOf(database))
    database.pragma('auto_vacuum = INCREMENTAL')
    database.exec('vacuum')
    return { before, after: fs.statSync(file).size }
  } catch (error) {
    if (isBusy(error)) throw new Error('it is in use: stop the service first', { cause: error })
    throw error
  } finally {
    database.close()
  }
}

function checkRoom(folder: string, { pages, freePages, pageSize }: Space): void {
  const { bavail, bsize } = fs.statfsSync(folder)
  const [needed, there] = [(pages - freePages) * pageSize * copies, bavail * bsize]
  if (there < needed)
    throw new Error(`${folder} has ${megabytes(there)} of free space, and rewriting the database needs ${megabytes(needed)}`)
}

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`
