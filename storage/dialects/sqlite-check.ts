/** Reads all of a copy of a SQLite database, to find out whether it can be restored. */
import { openFile } from './sqlite-library.ts'

/**
 * @param known names of the migrations of this version
 * @throws Error if the copy is damaged, not a database of ours, or newer than this version
 */
export function checkCopy(file: string, known: ReadonlySet<string>): void {
  const database = openFile(file, { fileMustExist: true })
  try {
    const [first] = database.pragma('integrity_check(1)') as { integrity_check: string }[]
    if (first?.integrity_check !== 'ok') throw new Error(`it is damaged: ${first?.integrity_check}`)
    const isOurs = database.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get() !== undefined
    if (!isOurs) throw new Error('it is a database of something else')
    const names = (database.prepare('select name from kysely_migration').all() as { name: string }[]).map(({ name }) => name)
    const newer = names.find(name => !known.has(name))
    if (newer !== undefined) throw new Error(`it was made by a newer version, which has the migration ${newer}: install that version`)
  } finally {
    database.close()
  }
}
