/** Makes a backup: one snapshot, stored, read back and checked. The file at the place is then known to be restorable. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, rmSync } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { checkInThread, copyInThread } from '../../../storage/dialects/backup-in-thread.ts'
import { checkDump } from '../../../storage/dialects/postgres-restore.ts'
import { dumpOf, programsFor } from '../../../storage/dialects/postgres-programs.ts'
import { fileOf } from '../../../storage/store.ts'
import { recordedNames } from '../../../storage/migrations/steps.ts'
import { checkSpace } from '../../../storage/system/free-space.ts'
import { keyFileNextTo } from '../../../storage/system/key-file.ts'
import type { Files } from '../../exchange/files/index.ts'

/** The name of the key's file at the place. */
export const keyName = (name: string): string => `${name}-key`

interface Making {
  /** `DATABASE_URL`. */
  readonly url: string
  readonly place: Files
  readonly name: string
  readonly signal: AbortSignal
}

export interface MadeBackup {
  readonly bytes: number
  /** Whether it was restored to check it; without that, all of it was read. */
  readonly isRestored: boolean
}

/**
 * With SQLite, needs the space of the database next to it meanwhile; with Postgres, on the server.
 * @throws Error that says what failed
 */
export async function makeBackup(making: Making): Promise<MadeBackup> {
  const file = fileOf(making.url)
  return file === undefined ? dumpPostgres(making) : { bytes: await copySqlite(file, making), isRestored: true }
}

async function dumpPostgres({ url, place, name, signal }: Making): Promise<MadeBackup> {
  const programs = await programsFor(url)
  const written = await store(place, name, () => dumpOf(url, programs, signal), signal)
  const stored = await place.open(name)
  if (!stored) throw new Error(`there is no backup ${name}`)
  const read = hashing(stored.read())
  try {
    const isRestored = await checkDump({ url, dump: read.pieces, programs, known: new Set(recordedNames), signal })
    if (read.digest() !== written.digest) throw new Error(`${name} differs from what was stored`)
    return { bytes: written.bytes, isRestored }
  } finally {
    await stored.close()
  }
}

async function copySqlite(file: string, { place, name, signal }: Making): Promise<number> {
  const draft = `${file}.backup`
  removeDraft(draft)
  try {
    await checkSpace(path.dirname(file), (await stat(file)).size)
    await copyInThread(file, draft)
    signal.throwIfAborted()
    const { size } = await stat(draft)
    const written = await store(place, name, () => createReadStream(draft), signal)
    const key = keyFileNextTo(draft)
    const hasKey = existsSync(key)
    const keyWritten = hasKey ? await store(place, keyName(name), () => createReadStream(key), signal) : undefined
    removeDraft(draft)
    if ((await fetchBackup(place, name, draft, signal)) !== written.digest) throw new Error(`${name} differs from what was stored`)
    if (hasKey && digest(await readFile(keyFileNextTo(draft))) !== keyWritten?.digest)
      throw new Error(`${keyName(name)} differs from what was stored`)
    await checkInThread(draft, recordedNames)
    return size
  } finally {
    removeDraft(draft)
  }
}

/** @returns SHA-256 of the content, and its size */
async function store(place: Files, name: string, content: () => AsyncIterable<Buffer>, signal: AbortSignal) {
  const file = await place.create(name)
  const { pieces, digest, bytes } = hashing(content())
  try {
    for await (const piece of pieces) {
      signal.throwIfAborted()
      await file.write(piece)
    }
  } catch (error) {
    await file.discard()
    throw error
  }
  await file.close()
  return { digest: digest(), bytes: bytes() }
}

/** Passes the pieces on; their digest and size are known when all have passed. */
function hashing<Piece extends Uint8Array>(content: AsyncIterable<Piece>) {
  const hash = createHash('sha256')
  let size = 0
  async function* pieces(): AsyncGenerator<Piece> {
    for await (const piece of content) {
      hash.update(piece)
      size += piece.length
      yield piece
    }
  }
  return { pieces: pieces(), digest: () => hash.digest('hex'), bytes: () => size }
}

/**
 * Fetches a backup, and its key if it has one, as `target` and `target.key`.
 * @returns SHA-256 of the backup
 * @throws Error if there is none of this name
 */
export async function fetchBackup(place: Files, name: string, target: string, signal?: AbortSignal): Promise<string> {
  const found = await fetchFile(place, name, target, signal)
  if (found === undefined) throw new Error(`there is no backup ${name}`)
  await fetchFile(place, keyName(name), keyFileNextTo(target), signal)
  return found
}

async function fetchFile(place: Files, name: string, target: string, signal?: AbortSignal): Promise<string | undefined> {
  const stored = await place.open(name)
  if (!stored) return undefined
  const hash = createHash('sha256')
  try {
    const file = await open(target, 'w', 0o600)
    try {
      for await (const piece of stored.read()) {
        signal?.throwIfAborted()
        hash.update(piece)
        await file.writeFile(piece)
      }
      await file.sync()
    } finally {
      await file.close()
    }
  } finally {
    await stored.close()
  }
  return hash.digest('hex')
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Also removes what a killed process left. */
function removeDraft(draft: string): void {
  for (const end of ['', '-wal', '-shm', '-journal', '.key']) rmSync(`${draft}${end}`, { force: true })
}

/** Names sort by time. A backup is there once its file is complete, but only its row says that it was read back. */
export async function newestBackup(place: Files): Promise<string | undefined> {
  const names = await place.names('bak_')
  return names
    .filter(name => /^bak_\d{8}T\d{6}Z$/.test(name))
    .sort()
    .at(-1)
}
