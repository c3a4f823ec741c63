/** A copy of a SQLite database before a newer version changes it: the way back to the version before. */
import fs from 'node:fs'
import path from 'node:path'
import { backUpSqlite } from '../dialects/sqlite-backup.ts'
import { checkSpace } from '../system/free-space.ts'
import { keyFileNextTo } from '../system/key-file.ts'

/** Age in ms up to which a copy is taken as made by another process of the same start. That process may have migrated the database since. */
const SAME_START_MS = 600_000

const mark = '.before-upgrade-'

/** The copies next to a database, the newest last. */
export function copiesOf(file: string): string[] {
  const folder = path.dirname(path.resolve(file))
  const own = `${path.basename(file)}${mark}`
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .filter(name => name.startsWith(own) && !/(\.key|-wal|-shm|-journal)$|\.part-/.test(name))
    .map(name => path.join(folder, name))
    .sort((a, b) => fs.statSync(a).mtimeMs - fs.statSync(b).mtimeMs)
}

/**
 * Copies the database and its key next to it, and deletes the copies of earlier upgrades.
 * @param schema the newest step that the database has
 * @returns the copy
 * @throws Error that says how much space to free
 */
export async function copyBefore(file: string, schema: string): Promise<string> {
  const copy = `${path.resolve(file)}${mark}${schema}`
  const known = fs.statSync(copy, { throwIfNoEntry: false })
  if (known && known.mtimeMs > Date.now() - SAME_START_MS) return copy
  await checkSpace(path.dirname(copy), fs.statSync(file).size)
  await backUpSqlite(file, copy)
  for (const older of copiesOf(file)) if (older !== copy) for (const each of [older, keyFileNextTo(older)]) fs.rmSync(each, { force: true })
  return copy
}
