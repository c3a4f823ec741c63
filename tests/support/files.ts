/** Folders of databases, and of their files. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileOf } from '../../storage/store.ts'

/** Removed with the database. */
export function filesBeside(url: string): string {
  const file = fileOf(url)
  return file === undefined ? path.join(os.tmpdir(), `footfall-files-${path.basename(new URL(url).pathname)}`) : `${file}-files`
}

/** A file system in memory, on Linux. */
export const MEMORY = '/dev/shm'

/** Where databases are whose tests need not wait for a disk: in memory if there is space, else among temporary files. */
export function fastFolder(): string {
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY)
    return bavail * bsize > 4 * 2 ** 30 ? MEMORY : os.tmpdir()
  } catch {
    return os.tmpdir()
  }
}
