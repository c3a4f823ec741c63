/** Replaces an SQLite database that is not in use by a backup, after reading all of the backup. */
import fs from 'node:fs'
import path from 'node:path'
import { keyFileNextTo } from '../system/key-file.ts'
import { giveToOwner, makeFolder } from '../system/file-permissions.ts'
import { isBusy } from './sqlite-errors.ts'
import { checkCopy } from './sqlite-check.ts'
import { openFile } from './sqlite-library.ts'

export interface Restored {
  /** The database that was in its place before, now under another name; undefined if there was none. */
  readonly before: string | undefined
  /** Whether the backup came with its key: without it, sealed secrets cannot be read. */
  readonly hasKey: boolean
}

interface RestoreSqlite {
  readonly backup: string
  readonly file: string
  readonly known: ReadonlySet<string>
  readonly at: number
}

/**
 * The copy is checked before anything is touched; what was in its place is kept under another name.
 * @param at epoch ms, for that name
 * @throws Error if the backup is broken, not a database of ours, or newer than this version, or if the database is in use
 */
export function restoreSqlite({ backup, file, known, at }: RestoreSqlite): Restored {
  if (fs.existsSync(file) && fs.realpathSync(backup) === fs.realpathSync(file)) throw new Error(`${backup} is the database itself`)
  makeFolder(path.dirname(file))
  const draft = `${file}.restore-${process.pid}`
  try {
    // Checked as it was copied: a disk may fail on the way.
    copyWhole(backup, draft)
    checkCopy(draft, known)
    closeOff(file)
    const before = moveAside(file, at)
    fs.renameSync(draft, file)
    const key = keyFileNextTo(backup)
    if (fs.existsSync(key)) copyWhole(key, keyFileNextTo(file))
    flushFolder(path.dirname(file))
    return { before, hasKey: fs.existsSync(key) }
  } finally {
    for (const each of [draft, `${draft}-wal`, `${draft}-shm`]) fs.rmSync(each, { force: true })
  }
}

function copyWhole(from: string, to: string): void {
  fs.copyFileSync(from, to)
  fs.chmodSync(to, 0o600)
  giveToOwner(to)
  const file = fs.openSync(to, 'r+')
  fs.fsyncSync(file)
  fs.closeSync(file)
}

/** Writes the log into the database, which SQLite refuses while another process has it open. */
function closeOff(file: string): void {
  if (!fs.existsSync(file)) return
  const database = openFile(file, { timeout: 0 })
  try {
    database.pragma('journal_mode = DELETE')
  } catch (error) {
    if (isBusy(error)) throw new Error(`${file} is in use: stop the service first`)
    // A broken database is what one restores over; it is kept as it is.
  } finally {
    database.close()
  }
}

function moveAside(file: string, at: number): string | undefined {
  if (!fs.existsSync(file)) return undefined
  const before = `${file}.before-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}`
  for (const end of ['-wal', '-shm', '.key']) if (fs.existsSync(`${file}${end}`)) fs.renameSync(`${file}${end}`, `${before}${end}`)
  fs.renameSync(file, before)
  return before
}

/** Makes the new names durable. */
function flushFolder(folder: string): void {
  const opened = fs.openSync(folder, 'r')
  fs.fsyncSync(opened)
  fs.closeSync(opened)
}
