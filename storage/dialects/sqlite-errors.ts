/** Classifies SQLite's errors: some mean that the database is unavailable, all others are internal errors. */
import fs from 'node:fs'
import path from 'node:path'
import { MOVED_MESSAGE } from './moved.ts'
import { StorageUnavailable } from '../values/storage-unavailable.ts'

/**
 * With less free space than this, bytes, a failed write is put down to a full disk: it needs a log frame, or a piece of
 * its index.
 */
const noSpace = 64 * 1024

/** SQLITE_BUSY and its extended codes: SQLITE_BUSY_RECOVERY, SQLITE_BUSY_SNAPSHOT. */
export const isBusy = (error: unknown): boolean => /^SQLITE_BUSY/.test(codeOf(error))

/** `StorageUnavailable` if another process has the lock or the disk is full, else the same error. */
export function asUnavailable(error: unknown, file: string): unknown {
  const why = error instanceof Error ? error.message : String(error)
  if (isBusy(error)) return new StorageUnavailable('locked', `another process holds the lock on the database: ${why}`, { cause: error })
  if (codeOf(error) === 'SQLITE_CONSTRAINT_TRIGGER' && why === MOVED_MESSAGE) return new StorageUnavailable('moved', why, { cause: error })
  if (isFull(error, file)) return new StorageUnavailable('full', `the disk of the database is full: ${why}`, { cause: error })
  return error
}

/** A full disk may also appear as an I/O error without the operating system's reason. */
function isFull(error: unknown, file: string): boolean {
  const code = codeOf(error)
  return code === 'SQLITE_FULL' || (/^SQLITE_(IOERR|CANTOPEN)/.test(code) && freeBytes(path.dirname(file)) < noSpace)
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = fs.statfsSync(folder)
    return bavail * bsize
  } catch {
    return Infinity
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
