/** A full disk under SQLite is an error of its own, and one that the end of its transaction does not hide. */
import fs from 'node:fs'
import path from 'node:path'
import type Database from 'better-sqlite3'
import type { SqliteStatement } from 'kysely'
import { StorageUnavailable } from '../unavailable.ts'

/** Where less than this is free, bytes, what fails does so for want of room: a log frame, or a piece of its index. */
const noRoom = 64 * 1024

/**
 * A statement that throws `StorageUnavailable` where the disk is full. SQLite may have ended the transaction then
 * (sqlite.org/lang_transaction.html, "Response To Errors"): a rollback does nothing, instead of failing in its turn.
 */
export function namingCauses(statement: SqliteStatement, sql: string, database: Database.Database): SqliteStatement {
  const attempt = <T>(run: () => T): T => {
    try {
      return run()
    } catch (error) {
      throw isFull(error, database.name) ? new StorageUnavailable('full', `the disk of the database is full: ${error.message}`, { cause: error }) : error
    }
  }
  const unneeded = () => sql === 'rollback' && !database.inTransaction
  return {
    reader: statement.reader,
    all: parameters => attempt(() => statement.all(parameters)),
    run: parameters => unneeded() ? { changes: 0, lastInsertRowid: 0 } : attempt(() => statement.run(parameters)),
    iterate: parameters => attempt(() => statement.iterate(parameters)),
  }
}

/** A write that the disk did not take is told as an input/output error as well, without the operating system's reason. */
function isFull(error: unknown, file: string): error is Error {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  if (error.code === 'SQLITE_FULL') return true
  return /^SQLITE_(IOERR|CANTOPEN)/.test(error.code) && freeBytes(path.dirname(file)) < noRoom
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = fs.statfsSync(folder)
    return bavail * bsize
  } catch {
    return Infinity
  }
}
