/** Sends batches of hits: one after another, again after a failure, each under a key with which it counts once. */

export type Body = Readonly<Record<string, unknown>>

interface Wanted {
  /** Address to which batches go. */
  readonly address: string
  readonly token: string
  readonly fetch: typeof globalThis.fetch
  readonly onError: (error: Error) => void
}

/** Hits of a batch, and the characters of their JSON. The service takes 500 hits and 1 MiB. */
const BATCH = { hits: 100, length: 250_000 } as const
const MAX_HIT = 50_000
/** Hits that wait; more are dropped. */
const MAX_WAITING = 10_000
const LINGER_MS = 1_000
const TIMEOUT_MS = 10_000
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 60_000
const MAX_RETRY_AFTER_MS = 300_000
/** A batch is given up after this time. */
const MAX_AGE_MS = 3_600_000
/** At the end of a process, or of a request at the edge. */
const HURRY = { attempts: 3, ms: 5_000 } as const

export function createDelivery({ address, token, fetch, onError }: Wanted) {
  const waiting: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let isClosed = false
  const closing = new AbortController()

  const fail = (what: string, hits: number) => onError(new Error(`Footfall: ${what}; hits that are lost: ${hits}`))

  /** @returns whether it waits now */
  function add(hit: Body): boolean {
    const text = JSON.stringify(hit)
    if (isClosed) fail('closed', 1)
    else if (text.length > MAX_HIT) fail('a hit is too large', 1)
    else if (waiting.length >= MAX_WAITING) fail('too many hits wait', 1)
    else return waiting.push(text) > 0
    return false
  }

  function take(): string[] {
    let length = 0
    const end = waiting.findIndex((hit, i) => i === BATCH.hits || (length += hit.length + 1) > BATCH.length)
    return waiting.splice(0, end === -1 ? waiting.length : Math.max(1, end))
  }

  /** Sends a batch until it has arrived, was refused, or is too old. */
  async function deliver(hits: readonly string[], isHurried: boolean): Promise<void> {
    const body = `{"hits":[${hits.join()}]}`
    const key = crypto.randomUUID()
    const since = Date.now()
    for (let attempt = 0; ; attempt++) {
      const outcome = await post(body, key)
      if (outcome === undefined) return
      const { why, isFinal, after } = outcome
      const isLast = isHurried || closing.signal.aborted ? attempt + 1 >= HURRY.attempts : Date.now() - since > MAX_AGE_MS
      if (isFinal || isLast) return fail(why, hits.length)
      // Full jitter, so that servers that failed together do not come back together.
      const backOff = Math.random() * Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt)
      const pause = Math.max(after, backOff)
      if (isHurried || closing.signal.aborted) await sleep(Math.min(pause, FIRST_RETRY_MS))
      else await sleep(pause, { until: closing.signal, isIdle: true })
    }
  }

  /** @returns undefined if it has arrived */
  async function post(body: string, key: string): Promise<{ why: string; isFinal: boolean; after: number } | undefined> {
    try {
      const answer = await fetch(address, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body,
        redirect: 'manual', // the token is for this address only
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const text = await answer.text()
      if (answer.ok) return undefined
      const isFinal = answer.status < 500 && ![408, 425, 429].includes(answer.status) && !isInProgress(answer.status, text)
      return { why: `answered ${answer.status} ${text.slice(0, 300)}`, isFinal, after: retryAfter(answer.headers.get('retry-after')) }
    } catch (error) {
      return { why: `cannot be reached, ${String(error)}`, isFinal: false, after: 0 }
    }
  }

  async function run(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    while (waiting.length > 0) await deliver(take(), false)
  }
  const send = (): Promise<void> =>
    (running ??= run().finally(() => {
      running = undefined
    }))
  /** Keeps the process while a caller waits for it, unlike sending in the background. */
  async function flush(): Promise<void> {
    const stay = setInterval(() => {}, TIMEOUT_MS)
    await send().finally(() => clearInterval(stay))
  }

  return {
    add,
    /** Sends soon, or at once when a batch is full. */
    schedule() {
      if (running) return
      if (waiting.length >= BATCH.hits) void send()
      else if (timer === undefined) {
        timer = setTimeout(() => void send(), LINGER_MS)
        idle(timer)
      }
    },
    flush,
    /** Sends what waits within the request that wants it: at the edge, none may wait for the work of another. */
    async drain(): Promise<void> {
      while (waiting.length > 0) await deliver(take(), true)
    },
    async close(): Promise<void> {
      isClosed = true
      closing.abort() // ends the pause before a repetition
      const end = new AbortController()
      const sent = send().then(() => (waiting.length > 0 ? send() : undefined))
      await Promise.race([sent.finally(() => end.abort()), sleep(HURRY.ms, { until: end.signal })])
      if (waiting.length > 0) fail('the process ends', waiting.splice(0).length)
    },
    get isIdle() {
      return waiting.length === 0 && !running
    },
  }
}

export type Delivery = ReturnType<typeof createDelivery>

/** An earlier request with this key has not been answered yet. */
const isInProgress = (status: number, text: string): boolean => status === 409 && text.includes('idempotency_in_progress')

/** Milliseconds. @param sent seconds or a date (RFC 9110, section 10.2.3) */
function retryAfter(sent: string | null): number {
  if (sent === null) return 0
  const ms = /^\d+$/.test(sent) ? Number(sent) * 1000 : Date.parse(sent) - Date.now()
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : 0
}

/** @param isIdle whether a process of Node may end meanwhile */
function sleep(ms: number, { until, isIdle = false }: { until?: AbortSignal; isIdle?: boolean } = {}): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      until?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (isIdle) idle(timer)
    until?.addEventListener('abort', end)
  })
}

/** Node does not stay for it; other runtimes have numbers for timers. */
function idle(timer: ReturnType<typeof setTimeout>): void {
  if (typeof timer === 'object') timer.unref?.()
}
