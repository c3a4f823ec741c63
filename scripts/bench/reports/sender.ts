/**
 * Sends hits to ADDRESS, one every 5 ms, from a process of its own, as hits come from other machines. The message gives
 * the duration in seconds; it replies with each hit's response time in ms.
 */
import http from 'node:http'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { hits } from '../hits.ts'

try {
  os.setPriority(os.constants.priority.PRIORITY_HIGH)
} catch {
  /* not allowed: then its own waits for a core are measured too */
}
const { ADDRESS = '' } = process.env
const EVERY_MS = 5
const url = new URL('/api/event', ADDRESS)
const next = hits()

function send(agent: http.Agent): Promise<number> {
  const { body, headers } = next()
  const began = performance.now()
  return new Promise((answered, failed) => {
    http
      .request(url, { agent, method: 'POST', headers: { ...headers, 'Content-Length': Buffer.byteLength(body) } }, response => {
        if (response.statusCode !== 202) failed(new Error(`a hit was answered ${response.statusCode}`))
        response.resume().once('end', () => answered(performance.now() - began))
      })
      .once('error', failed)
      .end(body)
  })
}

process.on('message', async (seconds: number) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 })
  const waited: Promise<number>[] = []
  const began = performance.now()
  for (let i = 0; i < (seconds * 1_000) / EVERY_MS; i++) {
    await sleep(began + i * EVERY_MS - performance.now())
    waited.push(send(agent))
  }
  const all = await Promise.all(waited)
  agent.destroy()
  process.send?.(all)
})
