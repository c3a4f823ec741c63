/** The folder of files without `FILES_URL`: next to a SQLite file, because the same user can write to both. */
import path from 'node:path'
import { fileOf, type Store } from '../../../storage/store.ts'
import type { Log } from '../../../runtime/observability/log.ts'
import type { Files } from './file-store.ts'
import { openFolder } from './folder.ts'
import { isPlaceOf } from './one-installation.ts'

/** In the working directory: the default with Postgres, and up to 0.6 with SQLite too. */
const inWorkingDirectory = 'data/files'

/** `footfall-files` next to `footfall.db`; undefined with Postgres. @param url DATABASE_URL */
export function filesNextTo(url: string): string | undefined {
  return fileOf(url)?.replace(/(\.db)?$/, '-files')
}

/** An installation that has its files in the earlier default folder continues to use it. */
export async function openDefault(store: Store, log: Log): Promise<Files> {
  const own = filesNextTo(store.url)
  const earlier = openFolder(inWorkingDirectory)
  if (own === undefined) return earlier
  const files = openFolder(own)
  const isEarlier = !(await isPlaceOf(files, store)) && (await isPlaceOf(earlier, store).catch(() => false))
  if (isEarlier)
    log.info(
      { folder: path.resolve(inWorkingDirectory), default: path.resolve(own) },
      'files stay in the earlier default folder (FILES_URL)',
    )
  return isEarlier ? earlier : files
}

/** Opens files on first use. */
export function opensLater(open: () => Promise<Files>): Files {
  let opened: Promise<Files> | undefined
  const files = () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    }))
  return {
    sizeOf: async name => (await files()).sizeOf(name),
    write: async (...given) => (await files()).write(...given),
    create: async name => (await files()).create(name),
    open: async name => (await files()).open(name),
    remove: async name => (await files()).remove(name),
    names: async prefix => (await files()).names(prefix),
    probe: async isStart => (await files()).probe(isStart),
  }
}
