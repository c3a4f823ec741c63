/**
 * Follows a log and hands on its lines, each once: the position is on the disk before a batch is sent, and with it the key of the
 * batch, so that a batch whose answer was lost is sent again unchanged under the same key.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isObject } from '../../../runtime/values/json.ts'
import { MAX_BATCH_LINES, MAX_LINE_LENGTH } from '../crawlers/index.ts'

/** Interval between checks of the log, ms. */
const LOOK_MS = 1_000
const CHUNK = 256 * 1024
/** Bytes at the start of a log that tell it from another one with the same inode. */
const HEAD = 1_024

interface Position {
  readonly inode: number
  /** Bytes that were sent. */
  readonly at: number
  /** Hash of the first sent bytes, at most `HEAD`. */
  readonly head: string
  /** A batch without an answer yet. */
  readonly pending?: { readonly to: number; readonly key: string } | undefined
}

export interface Tailing {
  readonly log: string
  /** File of the position. Without it the position is only in memory, so nothing reads on later. */
  readonly state?: string
  /** Whether a log without a position is read from its start; otherwise from its end. */
  readonly fromStart: boolean
  /** Ends with the log instead of following it. Without `state` this includes a last line without an end. */
  readonly once?: boolean
  /** Most lines of a batch. */
  readonly maxLines?: number
  /** Resolves once the lines count. Repeated with the same key, they count once. */
  send(lines: readonly string[], key: string): Promise<void>
  readonly signal: AbortSignal
  readonly lookMs?: number
}

/** @throws Error if the log or the position cannot be read, or `send` throws */
export async function tail({ log, state, fromStart, once = false, send, signal, lookMs = LOOK_MS, ...rest }: Tailing): Promise<void> {
  const reading = { maxLines: rest.maxLines ?? MAX_BATCH_LINES, wholeLines: !once || state !== undefined }
  if (state !== undefined) await mkdir(path.dirname(state), { recursive: true })
  let position = state === undefined ? undefined : await positionIn(state)
  let file = await reopened(log, position)
  try {
    if (!position || !file) {
      await file?.close()
      file = await open(log)
      const { ino, size } = await file.stat()
      // A log that was replaced while it was not followed is new as a whole.
      position = { inode: ino, at: position || fromStart ? 0 : size, head: '' }
      position = { ...position, head: await headOf(file, position.at) }
      await keep(state, position)
    }
    while (!signal.aborted) {
      if ((await file.stat()).size < position.at || (await headOf(file, position.at)) !== position.head) {
        position = { inode: position.inode, at: 0, head: await headOf(file, 0) } // truncated
        await keep(state, position)
      }
      const batch = await nextBatch(file, position, reading)
      if (batch) {
        const key = position.pending?.key ?? randomUUID()
        await keep(state, { ...position, pending: { to: batch.to, key } })
        if (batch.lines.length > 0) await send(batch.lines, key)
        position = { inode: position.inode, at: batch.to, head: await headOf(file, batch.to) }
        await keep(state, position)
        continue
      }
      const now = await stat(log).catch(() => undefined) // missing between the two steps of a rotation
      // The server may write to the old file until it opens the new one.
      if (now && now.ino !== position.inode && now.size > 0 && !(await nextBatch(file, position, reading))) {
        await file.close()
        file = await open(log)
        position = { inode: (await file.stat()).ino, at: 0, head: await headOf(file, 0) }
        await keep(state, position)
        continue
      }
      if (once) return
      await pause(lookMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    await file?.close()
  }
}

/** The log of the position, which may have another name since a rotation. */
async function reopened(log: string, position: Position | undefined): Promise<FileHandle | undefined> {
  if (!position) return undefined
  const folder = path.dirname(log)
  const names = [log, ...(await readdir(folder)).filter(name => name.startsWith(path.basename(log))).map(name => path.join(folder, name))]
  for (const name of names) {
    const file = await open(name).catch(() => undefined)
    if (!file) continue
    const { ino, size } = await file.stat()
    const isSame = ino === position.inode && (name === log || (size >= position.at && (await headOf(file, position.at)) === position.head))
    if (isSame) return file
    await file.close()
  }
  return undefined
}

interface Reading {
  readonly maxLines: number
  /** Whether a last line without an end waits for its end. */
  readonly wholeLines: boolean
}

/** The next lines, or the lines of the batch without an answer; undefined if there are none. */
async function nextBatch(
  file: FileHandle,
  { at, pending }: Position,
  { maxLines, wholeLines }: Reading,
): Promise<{ lines: string[]; to: number } | undefined> {
  const bytes = await bytesAt(file, at, pending ? pending.to - at : CHUNK)
  if (pending && bytes.length === pending.to - at) return { lines: linesIn(bytes), to: pending.to }
  let [end, count] = [0, 0]
  while (count < maxLines) {
    const next = bytes.indexOf(10, end)
    if (next < 0) break
    end = next + 1
    count++
  }
  // No log has a line of this length: its parts are refused.
  if (end === 0 && (bytes.length === CHUNK || !wholeLines)) end = bytes.length
  return end === 0 ? undefined : { lines: linesIn(bytes.subarray(0, end)), to: at + end }
}

/** Lines without what the service would refuse: a crash leaves NUL bytes in a log, and a cut may split a character. */
const linesIn = (bytes: Buffer): string[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .map(line => Buffer.from(line.replaceAll('\0', '').trim().slice(0, MAX_LINE_LENGTH)).toString())
    .filter(line => line !== '')

async function bytesAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(length), position: from })
  return buffer.subarray(0, bytesRead)
}

const headOf = async (file: FileHandle, at: number): Promise<string> =>
  createHash('sha256')
    .update(await bytesAt(file, 0, Math.min(HEAD, at)))
    .digest('hex')

async function positionIn(state: string): Promise<Position | undefined> {
  const text = await readFile(state, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const read: unknown = JSON.parse(text)
  if (!isObject(read) || typeof read.inode !== 'number' || typeof read.at !== 'number' || typeof read.head !== 'string')
    throw new Error(`${state} is not a position in a log; delete it to start at the end of the log`)
  const { inode, at, head, pending } = read
  const isPending = isObject(pending) && typeof pending.to === 'number' && typeof pending.key === 'string' && pending.to > at
  return { inode, at, head, ...(isPending && { pending: { to: Number(pending.to), key: String(pending.key) } }) }
}

/** Writes the position so that a power cut leaves either the old or the new one. */
async function keep(state: string | undefined, position: Position): Promise<void> {
  if (state === undefined) return
  const next = `${state}.new`
  const file = await open(next, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(position))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, state)
}
