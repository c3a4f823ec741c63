/** Reads a log line by line. Can follow it, also after a rotation. */
import { open, stat } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as pause } from 'node:timers/promises'
import { MAX_LINE_LENGTH } from './log-limits.ts'

/** Largest number of lines in a batch. */
const BATCH = 1_000
/** Interval between checks of a followed file, ms. */
const LOOK_MS = 1_000
const CHUNK = 256 * 1024

export interface Following {
  /** Reads only lines that are added, until the signal. */
  readonly follow: boolean
  readonly signal: AbortSignal
}

/** Yields batches of lines. Reads an unfinished last line unless the file is followed. */
export async function* linesOf(path: string, { follow, signal }: Following): AsyncGenerator<string[]> {
  let at = follow ? (await stat(path)).size : 0
  let file = (await stat(path)).ino
  let text = ''
  let decoder = new StringDecoder('utf8')
  for (;;) {
    const now = await stat(path).catch(() => undefined) // missing between the two steps of a rotation
    if (now && (now.ino !== file || now.size < at)) [at, file, text, decoder] = [0, now.ino, '', new StringDecoder('utf8')]
    if (now) {
      for await (const chunk of chunksOf(path, at)) {
        if (signal.aborted) return
        at += chunk.length
        const lines = (text + decoder.write(chunk)).split('\n')
        text = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH)
        for (let i = 0; i < lines.length; i += BATCH) yield lines.slice(i, i + BATCH).map(cut)
      }
    }
    if (!follow) {
      if (text !== '') yield [cut(text)]
      return
    }
    await pause(LOOK_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
  }
}

/** Cleans a line for the service: a crash leaves NUL bytes in a log, and the cut may split a character. */
const cut = (line: string): string => Buffer.from(line.replace(/\r$/, '').replaceAll('\0', '').slice(0, MAX_LINE_LENGTH)).toString()

async function* chunksOf(path: string, from: number): AsyncGenerator<Buffer> {
  const handle = await open(path)
  try {
    for (let at = from; ; ) {
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(CHUNK), position: at })
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}
