/**
 * Sends requests at a fixed rate, whether earlier ones were answered or not, over as many connections as that takes. A latency counts
 * from the time at which the request was due, also if the sender was late: a service that stops for a second has a second of late answers.
 */
import http from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { histogram } from '../../tools/hdr-histogram.mjs'

export interface Arrived {
  readonly sent: number
  /** Answers 2xx. */
  readonly answered: number
  /** ms, of all requests, also those that failed */
  readonly p50: number
  readonly p99: number
  readonly most: number
}

interface Arriving {
  readonly rate: number
  readonly seconds: number
  readonly request: () => { readonly body: string; readonly headers: Readonly<Record<string, string>> }
}

/** @returns how many requests were answered, and how long they took */
export async function arrive(url: string, { rate, seconds, request }: Arriving): Promise<Arrived> {
  const agent = new http.Agent({ keepAlive: true })
  const latencies = histogram({ bitBucketSize: 32, numberOfSignificantValueDigits: 3 })
  const began = performance.now()
  const total = Math.round(rate * seconds)
  const pending: Promise<void>[] = []
  let answered = 0
  const send = async (due: number): Promise<void> => {
    if (await isAnswered(url, agent, request())) answered++
    latencies.recordValue(Math.max(0, Math.round(performance.now() - due)))
  }
  // Timers are not finer than a millisecond: each one sends all requests that became due since the last one.
  const dueAt = (i: number) => began + (i * 1_000) / rate
  for (let sent = 0; sent < total; await wait(1)) {
    while (sent < total && dueAt(sent) <= performance.now()) pending.push(send(dueAt(sent++)))
  }
  await Promise.all(pending)
  agent.destroy()
  return {
    sent: total,
    answered,
    p50: latencies.getValueAtPercentile(50),
    p99: latencies.getValueAtPercentile(99),
    most: latencies.maxValue,
  }
}

function isAnswered(url: string, agent: http.Agent, { body, headers }: ReturnType<Arriving['request']>): Promise<boolean> {
  return new Promise(answered => {
    const sent = http.request(
      url,
      { agent, method: 'POST', headers: { ...headers, 'Content-Length': Buffer.byteLength(body) } },
      answer => {
        answer.resume().once('end', () => answered(answer.statusCode !== undefined && answer.statusCode < 300))
        answer.once('error', () => answered(false))
      },
    )
    sent.once('error', () => answered(false))
    sent.end(body)
  })
}
