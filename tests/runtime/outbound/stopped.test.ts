/** A process that was stopped during a call finds its time over and the answer unread: the answer counts. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as later } from 'node:timers/promises'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { guardedFetch } from '../../../runtime/outbound/outbound.ts'

/** Answers `/` after 200 ms, other paths never, in a thread of its own. */
const server = `
  const { parentPort } = require('node:worker_threads')
  require('node:http').createServer(({ url }, response) => {
    if (url === '/') setTimeout(() => response.end('there'), 200)
  }).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })`

test('data that arrived while the process was stopped is read before the timeout applies', async t => {
  const worker = new Worker(server, { eval: true })
  t.after(() => worker.terminate())
  const [port] = await once(worker, 'message')
  const call = (path: string) =>
    guardedFetch(`http://127.0.0.1:${port}${path}`, {
      method: 'GET',
      timeoutMs: 4_000,
      connectMs: 4_000,
      maxBytes: 1_000,
      redirects: 0,
      allow: ['127.0.0.0/8'],
    })
  await call('/') // loads what a call needs
  const [answered, silent] = [call('/'), call('/silent')]
  const ended = Promise.allSettled([answered, silent])
  await later(100)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000) // as if the process was stopped
  await ended
  assert.equal((await answered).body.toString(), 'there')
  await assert.rejects(silent, { code: 'timeout' })
})
