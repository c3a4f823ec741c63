/** Files in a folder. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { giveToOwner, makeFolder } from '../../../storage/system/file-permissions.ts'
import { checkedName, FileReplaced, type Files, forFiles, type Use } from './file-store.ts'
import { errorCode, unusable } from './folder-faults.ts'

const PIECE = 256 * 1024
/** Prefix of the files that test whether writing works. No other file has it. */
const PROBE = '.try-'

export function openFolder(where: string, use: Use = forFiles): Files {
  const folder = path.resolve(where)
  const at = (name: string) => path.join(folder, checkedName(name))
  let isMade = false
  /** Creates the folder once per process. If it disappears later, a disk may be unmounted, and another one would fill up. */
  const ready = () => {
    if (!isMade) makeFolder(folder, 0o700)
    isMade = true
  }
  /** @param flags of a file that may be new */
  const begin = async (file: string, flags: string) => {
    ready()
    const opened = await open(file, flags, 0o600)
    if (flags === 'w') giveToOwner(file)
    return opened
  }
  const entries = async () => (await unlessMissing(readdir(folder))) ?? []
  /** A run that lost its lease without knowing it can then no longer put its file in its place. */
  const removeUnfinished = async (name: string) => {
    for (const entry of await entries()) if (entry.startsWith(`${checkedName(name)}.`)) await rm(path.join(folder, entry), { force: true })
  }
  const store: Files = {
    sizeOf: async name => (await unlessMissing(stat(at(name))))?.size,
    async write(name, { from, bytes, max }) {
      const file = await begin(at(name), from === 0 ? 'w' : 'r+')
      try {
        await file.truncate(from)
        let position = from
        for await (const piece of bytes) {
          if (position + piece.byteLength > max) return false
          await writeAll(file, piece, position)
          position += piece.byteLength
        }
        return true
      } finally {
        await file.close()
      }
    },
    async create(name) {
      await removeUnfinished(name)
      const part = `${at(name)}.${randomBytes(6).toString('hex')}`
      const file = await begin(part, 'w')
      let position = 0
      return {
        async write(bytes) {
          await writeAll(file, bytes, position)
          position += bytes.byteLength
        },
        async close() {
          await file.close()
          await rename(part, at(name)).catch((error: NodeJS.ErrnoException) => {
            throw error.code === 'ENOENT' && existsSync(folder) ? new FileReplaced(`${name} was begun again`) : error
          })
          await removeUnfinished(name) // of runs that began at the same time, one of which may have been killed
        },
        async discard() {
          await file.close()
          await rm(part, { force: true })
        },
      }
    },
    async open(name) {
      const file = await unlessMissing(open(at(name)))
      if (!file) return undefined
      const { size } = await file.stat()
      return {
        size,
        async *read(from = 0, to = size) {
          for (let at = from; at < to; ) {
            // Each piece has its own buffer, because the reader may keep it.
            const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(Math.min(PIECE, to - at)), 0, Math.min(PIECE, to - at), at)
            if (bytesRead === 0) throw new Error('a file became shorter while it was read')
            yield buffer.subarray(0, bytesRead)
            at += bytesRead
          }
        },
        close: () => file.close(),
      }
    },
    async remove(name) {
      const all = (await entries()).filter(entry => entry === name || entry.startsWith(`${checkedName(name)}.`))
      for (const entry of all) await rm(path.join(folder, entry), { force: true })
    },
    async names(prefix) {
      const found = (await entries()).filter(entry => entry.startsWith(prefix))
      return [...new Set(found.map(entry => entry.split('.')[0] ?? ''))]
    },
    async probe() {
      ready()
      const file = path.join(folder, `${PROBE}${randomBytes(6).toString('hex')}`)
      try {
        await writeFile(file, PROBE, { mode: 0o600, flag: 'wx' })
      } finally {
        await rm(file, { force: true })
      }
    },
  }
  return unusable(folder, store, use)
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done)
    done += bytesWritten
  }
}

async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
