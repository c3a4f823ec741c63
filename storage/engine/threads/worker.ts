/** Runs in a thread: answers queries one after another, with its own read-only connection and cache. */
import os from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { openStore } from '../../store.ts'
import { StorageUnavailable } from '../../values/storage-unavailable.ts'
import { answerIn, openLocal } from '../local.ts'
import { openYielder } from './yielder.ts'
import { READY, type ThreadAnswer, type ThreadReply, type ThreadRequest, type ThreadSettings } from './messages.ts'

const port = parentPort
if (!port) throw new Error('this file runs in a worker thread')
// Hits and other calls have priority. On Linux this applies to the calling thread, elsewhere to the whole process.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
const { url, cluster, cacheBytes } = workerData as ThreadSettings // set by thread.ts
const local = openLocal(openStore(url, { readonly: true, connections: 1, cluster }), {
  cacheBytes,
  pause: openYielder(1, () => performance.now()),
})

const answerTo = (request: ThreadRequest): Promise<ThreadAnswer> => answerIn(local, request)

const causeOf = ({ cause }: Error): string | undefined => (cause instanceof Error ? cause.message : undefined)

port.on('message', async (request: ThreadRequest) => {
  let reply: ThreadReply
  try {
    reply = { answer: await answerTo(request) }
  } catch (error) {
    reply = error instanceof StorageUnavailable ? { unavailable: error.reason, message: error.message, cause: causeOf(error) } : { error }
  }
  port.postMessage(reply)
})
port.postMessage(READY)
