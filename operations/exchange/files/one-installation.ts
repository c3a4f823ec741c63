/**
 * A folder of files, or a bucket's prefix, belongs to one installation, because files that its database does not know are
 * deleted. The first use writes a file whose name identifies the installation: `ins_` and its id.
 */
import { installationId } from '../../../storage/installation/installation-id.ts'
import type { Store } from '../../../storage/store.ts'
import { type Files, FilesUnusable } from './file-store.ts'

export interface OwnFiles extends Files {
  /** Writes nothing. @throws FolderOfAnother */
  check(): Promise<void>
}

export class FolderOfAnother extends FilesUnusable {
  constructor(whose: string) {
    super(
      `The location of files (FILES_URL) ${whose}. Footfall deletes files there that its database does not know, so each installation needs its own location: set FILES_URL to another folder or prefix. If the other installation no longer exists, empty the location instead.`,
      { isLasting: true },
    )
  }
}

const MARK = 'ins_'
/** Prefixes of file names, and the tables that know the files. */
const kinds = { imp_: 'imports', exp_: 'exports' } as const
/** Names that are looked up at once. */
const CHUNK = 500

/** Writes and lists files only if their location belongs to this installation. */
export function ofOneInstallation(files: Files, store: Store): OwnFiles {
  let claiming: Promise<void> | undefined

  /** @throws FolderOfAnother */
  async function claim(): Promise<void> {
    const mark = await markOf(store)
    const other = async () => (await files.names(MARK)).find(name => name !== mark)
    const refuse = (name: string) => {
      throw new FolderOfAnother(`belongs to another installation (${name})`)
    }
    const found = await other()
    if (found !== undefined) refuse(found)
    if ((await files.sizeOf(mark)) !== undefined) return
    if ((await whoseAreThey(files, store)) === 'of strangers') throw new FolderOfAnother('has files, but this database knows none of them')
    await files.write(mark, { from: 0, bytes: words(mark), max: Infinity })
    const atOnce = await other()
    if (atOnce === undefined) return
    await files.remove(mark)
    refuse(atOnce)
  }

  const claimed = () =>
    (claiming ??= claim().catch((error: unknown) => {
      claiming = undefined // checked again on the next use
      throw error
    }))
  /** The caller removes files that it does not know, so each listing checks the owner again. */
  async function names(prefix: string): Promise<string[]> {
    const found = await files.names(prefix)
    if (found.length > 0) await claim()
    return found
  }
  return {
    ...files,
    async write(...given) {
      await claimed()
      return files.write(...given)
    },
    async create(name) {
      await claimed()
      return files.create(name)
    },
    names,
    async check() {
      for (const prefix of [MARK, ...Object.keys(kinds)]) await names(prefix)
    },
  }
}

const markOf = async (store: Store): Promise<string> => `${MARK}${await installationId(store.read)}`

/** Whether the location has this installation's mark, or, if it is older than marks, a file that the database knows. */
export async function isPlaceOf(files: Files, store: Store): Promise<boolean> {
  const marks = await files.names(MARK)
  return marks.length > 0 ? marks.includes(await markOf(store)) : (await whoseAreThey(files, store)) === 'ours'
}

/** `of strangers`: there are files, but none that the database knows. */
async function whoseAreThey(files: Files, store: Store): Promise<'ours' | 'of strangers' | 'no files'> {
  let isEmpty = true
  for (const [prefix, table] of Object.entries(kinds)) {
    const names = await files.names(prefix)
    if (names.length > 0) isEmpty = false
    for (let i = 0; i < names.length; i += CHUNK) {
      const known = store.read
        .selectFrom(table)
        .select('id')
        .where('id', 'in', names.slice(i, i + CHUNK))
      if (await known.executeTakeFirst()) return 'ours'
    }
  }
  return isEmpty ? 'no files' : 'of strangers'
}

async function* words(mark: string): AsyncGenerator<Buffer> {
  yield Buffer.from(
    `These files belong to the Footfall installation ${mark}. No other installation may use this location as its FILES_URL.\n`,
  )
}
