/**
 * A file of records that wait for the database: appended and flushed to disk, read from the front. It is an SQLite database,
 * which survives a kill at any moment and has a lock that ends with its process: so files that a process left are known by
 * being free.
 */
import { rmSync } from 'node:fs'
import { openFile, type SqliteFile } from '../dialects/sqlite-library.ts'

export interface SpooledRecord {
  /** From 1, without gaps. */
  readonly number: number
  /** Epoch ms. */
  readonly at: number
  readonly content: Buffer
}

export interface SpoolFile {
  readonly path: string
  /** Number of the last record; 0 if there is none. */
  last(): number
  /** Size on disk, bytes. */
  bytes(): number
  /** Appends records, durably, as a whole. @throws the error of SQLite, for example for a full disk */
  append(records: ReadonlyArray<Omit<SpooledRecord, 'number'>>): void
  /** The first records after this number. */
  after(number: number, limit: number): SpooledRecord[]
  /** Deletes the records up to this number, so that others take their place on the disk. */
  forget(number: number): void
  /** Releases the file; the records stay. */
  close(): void
  /** Deletes the file. */
  remove(): void
}

/** Opens or makes a file only for this process. @returns undefined if another process has it */
export function openSpoolFile(path: string): SpoolFile | undefined {
  const file = openFile(path, { timeout: 0 })
  try {
    return locked(path, file)
  } catch (error) {
    file.close()
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
}

function locked(path: string, file: SqliteFile): SpoolFile {
  file.pragma('locking_mode = exclusive') // before the journal's mode: then no other process ever reads the log
  file.pragma('journal_mode = wal')
  file.pragma('synchronous = full')
  file.exec(
    'begin immediate; create table if not exists records (number integer primary key, at integer not null, content blob not null) strict; commit',
  )
  const insert = file.prepare<[number, number, Buffer]>('insert into records (number, at, content) values (?, ?, ?)')
  const select = file.prepare<[number, number], SpooledRecord>(
    'select number, at, content from records where number > ? order by number limit ?',
  )
  const forget = file.prepare<[number]>('delete from records where number <= ?')
  const pages = file.prepare<[], { bytes: number }>('select page_count * page_size as bytes from pragma_page_count, pragma_page_size')
  const highest = file.prepare<[], { number: number | null }>('select max(number) as number from records')
  let last = highest.get()?.number ?? 0
  const appendAll = file.transaction((records: ReadonlyArray<Omit<SpooledRecord, 'number'>>) => {
    for (const [i, { at, content }] of records.entries()) insert.run(last + 1 + i, at, content)
  })
  const close = () => {
    if (file.open) file.close()
  }
  return Object.freeze<SpoolFile>({
    path,
    last: () => last,
    bytes: () => pages.get()?.bytes ?? 0,
    append(records) {
      appendAll(records)
      last += records.length
    },
    after: (number, limit) => select.all(number, limit),
    forget(number) {
      forget.run(number)
    },
    close,
    remove() {
      close()
      for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true })
    },
  })
}
