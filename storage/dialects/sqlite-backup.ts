/**
 * A copy of a SQLite database that is in use: one read transaction over all of it, so that it is one snapshot. Writers
 * go on; what they add stays in the log until the copy is done (sqlite.org/backup.html).
 */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { keyFileNextTo } from '../system/key-file.ts'
import { openFile } from './sqlite-library.ts'
import { HOUR_MS } from '../values/durations.ts'

/** As many as SQLite takes at a time: in several steps every write of another process would restart it. */
const allPages = 0x7fffffff
const abandonedAfterMs = HOUR_MS

/**
 * Replaces the target after the copy is complete, and puts the key of sealed secrets next to it.
 * @param target a file, or a folder that is there
 * @returns the files that were written
 * @throws Error if the source is not a database, or the target is in use
 */
export async function backUpSqlite(file: string, target: string): Promise<string[]> {
  const copy = fs.statSync(target, { throwIfNoEntry: false })?.isDirectory() ? path.join(target, path.basename(file)) : target
  if (fs.existsSync(copy) && fs.realpathSync(copy) === fs.realpathSync(file)) throw new Error(`${copy} is the database itself`)
  if (fs.existsSync(`${copy}-wal`)) throw new Error(`${copy} is a database in use: there is a ${path.basename(copy)}-wal next to it`)
  const written = [await whole(copy, draft => copyOf(file, draft))]
  const key = keyFileNextTo(file)
  if (fs.existsSync(key)) written.push(await whole(keyFileNextTo(copy), draft => fs.copyFileSync(key, draft)))
  return written
}

async function copyOf(file: string, draft: string): Promise<void> {
  const source = openFile(file, { readonly: true, fileMustExist: true })
  try {
    await source.backup(draft, { progress: () => allPages })
  } finally {
    source.close()
  }
}

/** Writes a copy next to the target, readable only by its owner, and then renames it. */
async function whole(file: string, write: (draft: string) => Promise<void> | void): Promise<string> {
  removeAbandoned(file)
  const draft = `${file}.part-${randomBytes(4).toString('hex')}`
  fs.closeSync(fs.openSync(draft, 'wx', 0o600))
  try {
    await write(draft)
    flush(draft)
    fs.renameSync(draft, file)
  } finally {
    for (const end of ['', '-journal']) fs.rmSync(`${draft}${end}`, { force: true })
  }
  return file
}

/** Deletes what killed backups left. The file or journal of one that is running has just been written to. */
function removeAbandoned(file: string): void {
  const folder = path.dirname(file)
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(`${path.basename(file)}.part-`) || !/\.part-[\da-f]{8}(-journal)?$/.test(name)) continue
    const draft = path.join(folder, name)
    const { mtimeMs } = fs.statSync(draft, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY }
    if (mtimeMs < Date.now() - abandonedAfterMs) fs.rmSync(draft, { force: true })
  }
}

function flush(file: string): void {
  const opened = fs.openSync(file, 'r+')
  fs.fsyncSync(opened)
  fs.closeSync(opened)
}
