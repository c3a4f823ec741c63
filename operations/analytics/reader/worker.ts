/** Runs in a thread of its own: one query after another over its own read-only connection and cache. */
import { parentPort, workerData } from 'node:worker_threads'
import { openStore } from '../../../storage/store.ts'
import { answer } from '../engine/answer.ts'
import { openSources } from '../engine/store-source.ts'
import type { ThreadReply, ThreadRequest, ThreadSettings } from './messages.ts'

const port = parentPort
if (!port) throw new Error('this file runs in a worker thread')
const { url, cacheBytes } = workerData as ThreadSettings // put there by thread.ts
const sources = openSources(openStore(url, { readonly: true, connections: 1 }), cacheBytes, () => performance.now())

port.on('message', async (query: ThreadRequest) => {
  let reply: ThreadReply
  try {
    reply = { answer: await sources.at(query.site, source => answer(query, source)) }
  } catch (error) {
    reply = { error }
  }
  port.postMessage(reply)
})
