/** Sends log lines to the service. Repeats a batch without a response under the same key, so that it counts once. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isObject } from '../../../runtime/values/json.ts'
import type { LineFormat } from './formats/line-formats.ts'

interface Posting {
  /** `https://footfall.example.com` */
  readonly server: string
  readonly token: string
  readonly signal: AbortSignal
  /** Longest time to retry a batch, ms. */
  readonly patienceMs: number
}

export interface Sending extends Posting {
  readonly site: string
  readonly format: LineFormat
}

export interface SendResult {
  readonly accepted: number
  readonly human: number
  readonly rejected: number
}

/** @throws Error if the service refuses the lines, or stays unreachable */
export async function sendLines(lines: readonly string[], { format, site, ...posting }: Sending): Promise<SendResult> {
  const path = `/sites/${encodeURIComponent(site)}/crawlers/requests.json`
  const sum = { accepted: 0, human: 0, rejected: 0 }
  for (const data of await postLines(lines, { ...posting, path, key: randomUUID(), more: { format } })) {
    const sent = sentIn(data)
    sum.accepted += sent.accepted
    sum.human += sent.human
    sum.rejected += sent.rejected
  }
  return sum
}

type Data = Readonly<Record<string, unknown>>

/**
 * @param more fields of the body in addition to `lines`
 * @returns the data of the response, of several if a proxy accepts only smaller requests
 * @throws Error if the service refuses the lines, or stays unreachable
 */
export async function postLines(
  lines: readonly string[],
  given: Posting & { readonly path: string; readonly key: string; readonly more: object },
): Promise<readonly Data[]> {
  const { server, token, path, key, more, signal, patienceMs } = given
  const until = Date.now() + patienceMs
  for (let wait = 1_000; ; wait = Math.min(wait * 2, 60_000)) {
    const answer = await fetch(`${server}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({ ...more, lines }),
      signal,
    }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
    if (!(answer instanceof Error)) {
      const read: unknown = await answer.json().catch(() => undefined)
      if (answer.ok) return [isObject(read) && isObject(read.data) ? read.data : {}]
      // A proxy in front may accept less than the service.
      if (answer.status === 413 && lines.length > 1) {
        const middle = Math.ceil(lines.length / 2)
        const first = await postLines(lines.slice(0, middle), { ...given, key: `${key}.1` })
        return [...first, ...(await postLines(lines.slice(middle), { ...given, key: `${key}.2` }))]
      }
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

function sentIn(data: Data): SendResult {
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
