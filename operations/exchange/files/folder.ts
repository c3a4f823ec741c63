/** Files in a folder. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { StorageUnavailable } from '../../../storage/unavailable.ts'
import { checkedName, FileReplaced, type Files } from './file-store.ts'

const PIECE = 256 * 1024

export function openFolder(where: string): Files {
  const folder = path.resolve(where)
  const at = (name: string) => path.join(folder, checkedName(name))
  const ready = () => mkdir(folder, { recursive: true, mode: 0o700 })
  const entries = async () => (await unlessMissing(readdir(folder))) ?? []
  return {
    sizeOf: async name => (await unlessMissing(stat(at(name))))?.size,
    async write(name, from, bytes, most) {
      await ready()
      const file = await open(at(name), from === 0 ? 'w' : 'r+', 0o600)
      try {
        await file.truncate(from)
        let position = from
        for await (const piece of bytes) {
          if (position + piece.byteLength > most) return false
          await writeAll(file, piece, position)
          position += piece.byteLength
        }
        return true
      } finally {
        await file.close()
      }
    },
    async create(name) {
      await ready()
      // A run that was interrupted, or lost its lease without knowing it, can no longer put its file in this one's place.
      for (const entry of await entries())
        if (entry.startsWith(`${checkedName(name)}.`)) await rm(path.join(folder, entry), { force: true })
      const part = `${at(name)}.${randomBytes(6).toString('hex')}`
      const file = await open(part, 'w', 0o600)
      let position = 0
      return {
        async write(bytes) {
          await writeAll(file, bytes, position)
          position += bytes.byteLength
        },
        async close() {
          await file.close()
          await rename(part, at(name)).catch((error: NodeJS.ErrnoException) => {
            throw error.code === 'ENOENT' ? new FileReplaced(`${name} was begun again`) : error
          })
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
            // A buffer of its own for each piece: who reads may keep it.
            const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(Math.min(PIECE, to - at)), 0, Math.min(PIECE, to - at), at)
            if (bytesRead === 0) throw new Error('a file was cut while it was read')
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
  }
}

/** @throws StorageUnavailable if the disk is full */
async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  try {
    for (let done = 0; done < bytes.byteLength; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done)
      done += bytesWritten
    }
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw error
    throw new StorageUnavailable('busy', 'The disk that files are kept on is full; try again later.', { cause: error })
  }
}

async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
