/** Sends log lines to the service. Repeats a batch without a response under the same key, so that it counts once. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isObject } from '../../../runtime/values/json.ts'
import type { LineFormat } from './formats/line-formats.ts'

export interface Sending {
  /** `https://footfall.example.com` */
  readonly server: string
  readonly token: string
  readonly site: string
  readonly format: LineFormat
  readonly signal: AbortSignal
  /** Longest time to retry a batch, ms. */
  readonly patienceMs: number
}

export interface SendResult {
  readonly accepted: number
  readonly human: number
  readonly rejected: number
}

/** @throws Error if the service refuses the lines, or stays unreachable */
export async function sendLines(lines: readonly string[], given: Sending): Promise<SendResult> {
  const { server, token, site, format, signal, patienceMs } = given
  const key = randomUUID()
  const until = Date.now() + patienceMs
  for (let wait = 1_000; ; wait = Math.min(wait * 2, 60_000)) {
    const answer = await fetch(`${server}/sites/${encodeURIComponent(site)}/crawlers/requests.json`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({ format, lines }),
      signal,
    }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
    if (!(answer instanceof Error)) {
      const read: unknown = await answer.json().catch(() => undefined)
      if (answer.ok) return sentIn(read)
      // A proxy in front may accept less than the service.
      if (answer.status === 413 && lines.length > 1) return sendHalves(lines, given)
      if (answer.status !== 429 && answer.status < 500 && answer.status !== 409)
        throw new Error(`The service returned status ${answer.status}: ${messageIn(read)}`)
    }
    if (signal.aborted || Date.now() + wait > until) {
      throw new Error(
        answer instanceof Error ? `The service is unreachable: ${answer.message}` : `The service returned status ${answer.status}`,
      )
    }
    await pause(wait, undefined, { signal }).catch(() => {})
  }
}

async function sendHalves(lines: readonly string[], given: Sending): Promise<SendResult> {
  const middle = Math.ceil(lines.length / 2)
  const first = await sendLines(lines.slice(0, middle), given)
  const second = await sendLines(lines.slice(middle), given)
  return {
    accepted: first.accepted + second.accepted,
    human: first.human + second.human,
    rejected: first.rejected + second.rejected,
  }
}

function sentIn(read: unknown): SendResult {
  const data = isObject(read) && isObject(read.data) ? read.data : {}
  return {
    accepted: Number(data.accepted ?? 0),
    human: Number(data.human ?? 0),
    rejected: Array.isArray(data.rejected) ? data.rejected.length : 0,
  }
}

function messageIn(read: unknown): string {
  const error = isObject(read) && isObject(read.error) ? read.error : {}
  return typeof error.message === 'string' ? error.message : 'no message'
}
