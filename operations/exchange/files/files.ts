/** The folder of files: uploads and exports, each by a name of its own. */
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Bytes } from '../../../runtime/kinds.ts'
import { resource } from '../../../runtime/resource.ts'
import { fileOf } from '../../../storage/store.ts'
import { FILES_URL } from './settings.ts'

export interface Files {
  /** Path of a file, in a folder that exists. @param name letters, digits, `_`, `-` and dots, made by us */
  pathOf(name: string): Promise<string>
  /** Bytes; undefined if there is no such file. */
  sizeOf(name: string): Promise<number | undefined>
  /**
   * Writes from a position on, up to the end of `bytes`, and cuts the file there. Every piece is kept, if the sender goes away too.
   * @param most largest size; longer uploads end with `false`
   */
  write(name: string, from: number, bytes: Bytes, most: number): Promise<boolean>
  /** The bytes of a file. */
  read(name: string): Promise<Bytes>
  remove(name: string): Promise<void>
  /** Names and times of change, epoch ms. */
  all(): Promise<{ name: string; changedAt: number }[]>
}

const nameForm = /^[a-z]{2,5}_[\w-]+(\.[a-z_]+)?$/

export const files = resource<Files>({
  name: 'files',
  open({ config }) {
    const folder = path.resolve(fileOf(config.of(FILES_URL)) ?? 'data/files')
    const at = (name: string) => {
      if (!nameForm.test(name)) throw new Error(`"${name}" is no name of a file`)
      return path.join(folder, name)
    }
    return {
      async pathOf(name) {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        return at(name)
      },
      async sizeOf(name) {
        return unlessMissing(stat(at(name)).then(({ size }) => size))
      },
      async write(name, from, bytes, most) {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const file = await open(at(name), from === 0 ? 'w' : 'r+', 0o600)
        try {
          await file.truncate(from)
          let position = from
          for await (const piece of bytes) {
            if (position + piece.byteLength > most) return false
            await file.write(piece, 0, piece.byteLength, position)
            position += piece.byteLength
          }
          return true
        } finally {
          await file.close()
        }
      },
      async read(name) {
        const file = await open(at(name))
        return createReadStream('', { fd: file, highWaterMark: 256 * 1024 })
      },
      remove: name => rm(at(name), { force: true }),
      async all() {
        const names = (await unlessMissing(readdir(folder))) ?? []
        const found = await Promise.all(
          names.filter(name => nameForm.test(name)).map(async name => ({ name, stats: await unlessMissing(stat(at(name))) })),
        )
        return found.flatMap(({ name, stats }) => (stats ? [{ name, changedAt: stats.mtimeMs }] : []))
      },
    }
  },
  close: async () => {},
})

async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
