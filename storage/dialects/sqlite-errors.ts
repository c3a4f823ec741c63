/** What SQLite's errors mean for a call: most are faults of ours, some say that the database cannot be used for now. */
import fs from 'node:fs'
import path from 'node:path'
import { StorageUnavailable } from '../unavailable.ts'

/** Where less than this is free, bytes, what fails does so for want of space: a log frame, or a piece of its index. */
const noSpace = 64 * 1024

/** SQLITE_BUSY and its kinds: SQLITE_BUSY_RECOVERY, SQLITE_BUSY_SNAPSHOT. */
export const isBusy = (error: unknown): boolean => /^SQLITE_BUSY/.test(codeOf(error))

/** The error to throw: `StorageUnavailable` where another process holds the lock or the disk is full, otherwise the same. */
export function asUnavailable(error: unknown, file: string): unknown {
  const why = error instanceof Error ? error.message : String(error)
  if (isBusy(error)) return new StorageUnavailable('locked', `another process holds the lock on the database: ${why}`, { cause: error })
  if (isFull(error, file)) return new StorageUnavailable('full', `the disk of the database is full: ${why}`, { cause: error })
  return error
}

/** A write that the disk did not take is told as an input/output error as well, without the operating system's reason. */
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
