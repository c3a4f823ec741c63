/** The rows of a Parquet file as JSON lines, which a thread decodes. */
import { sentenceOf } from '../../../../runtime/texts/message.ts'
import { m } from '../messages.ts'
import { Worker } from 'node:worker_threads'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { threadScript } from '../../../../storage/system/thread-script.ts'
import { bytesBetween, type StoredFile } from '../../files/index.ts'
import type { FromThread, ToThread } from './messages.ts'

/** Longest time between two messages of the thread, ms, in which it decodes the columns of a row group. */
const MAX_LENGTH = 120_000
const memory = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 32 } as const

/**
 * Reads one row group at a time; columns that are not requested are not read.
 * @param choose selects the columns at the outer level; may throw
 * @param onRead bytes of the file that were read
 * @throws JobFailure `damaged`, `too_large`, `wrong_file`
 */
export async function* parquetLines(
  file: StoredFile,
  choose: (columns: readonly string[]) => readonly string[],
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const { script, ...options } = await threadScript('parquet-thread', new URL('./worker.ts', import.meta.url).href)
  const workerData = { size: file.size }
  const worker = new Worker(script, { ...options, execArgv: [], workerData, name: 'parquet', resourceLimits: memory })
  const next = messagesOf(worker)
  const answer = (message: ToThread) => worker.postMessage(message)
  try {
    for (;;) {
      const message = await next()
      if ('wants' in message) {
        const [from, to] = message.wants
        const bytes = await bytesBetween(file, from, to)
        onRead(bytes.length)
        answer({ bytes })
      } else if ('columns' in message) answer({ columns: choose(message.columns) })
      else if ('lines' in message) {
        yield message.lines
        answer({ next: true })
      } else if ('fault' in message) throw new JobFailure(message.fault, sentenceOf(message.message))
      else return
    }
  } finally {
    await worker.terminate()
  }
}

/** The next message of the thread, one at a time: it waits for the answer to each. */
function messagesOf(worker: Worker): () => Promise<FromThread> {
  const arrived: FromThread[] = []
  let ended: Error | undefined
  let wake = () => {}
  worker.on('message', (message: FromThread) => {
    arrived.push(message)
    wake()
  })
  worker.on('error', error => {
    const isTooLarge = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ended = isTooLarge ? new JobFailure('too_large', m.parquet_needs_memory()) : new JobFailure('damaged', m.file_not_read())
    wake()
  })
  worker.on('exit', () => {
    ended ??= new JobFailure('damaged', m.file_not_read())
    wake()
  })
  return async () => {
    const timer = setTimeout(() => {
      ended ??= new JobFailure('too_large', m.parquet_too_slow())
      wake()
    }, MAX_LENGTH)
    try {
      for (;;) {
        const message = arrived.shift()
        if (message) return message
        if (ended) throw ended
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    } finally {
      clearTimeout(timer)
    }
  }
}
