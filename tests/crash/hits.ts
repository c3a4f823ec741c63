/** Sends hits to a running service, each to a page of its own. */
import { setTimeout } from 'node:timers/promises'

/**
 * Between two hits of a sender. It leaves the service time to store the hits that wait. Loads go on while a test waits for a start or a
 * restart, so most of the CPU time of these tests is hits: 6 a second and sender are enough to be in the middle of something.
 */
const pauseMs = 150

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

export interface Load {
  readonly sent: ReadonlySet<string>
  readonly acknowledged: ReadonlySet<string>
  /** How often each other answer came; 0 where none did. */
  readonly refused: ReadonlyMap<number, number>
  /** Answers of 503 that do not say when to try again. */
  readonly untold: number
  /** Waits until a hit that is sent after this call is acknowledged. */
  flows(): Promise<void>
  end(): Promise<void>
}

export interface Sending {
  readonly domain: string
  /** Each sends its next hit when the one before is answered, or some time after it was refused. */
  readonly senders: number
  /** Number of the first sender, so that several loads have different pages. */
  readonly first?: number
  /** Properties of each hit. */
  readonly props?: Readonly<Record<string, string>>
}

export function sendHits(address: string, { domain, senders, first = 0, props = {} }: Sending): Load {
  const sent = new Set<string>()
  const acknowledged = new Set<string>()
  const refused = new Map<number, number>()
  let untold = 0
  let ended = false
  const hear = new Set<(request: number) => void>()
  let requests = 0

  async function send(sender: number): Promise<void> {
    for (let i = 0; !ended; i++) {
      const page = `/p/${sender}-${i}`
      const request = ++requests
      sent.add(page)
      const answer = await fetch(`${address}/api/event`, {
        method: 'POST',
        headers: { 'Content-Type': 'text/plain', 'User-Agent': agent, 'X-Forwarded-For': `81.2.69.${sender}` },
        body: JSON.stringify({ n: i % 5 === 4 ? 'Signup' : 'pageview', u: `https://${domain}${page}`, d: domain, p: props }),
      }).catch(() => undefined)
      const whole = await answer?.text().then(
        () => true,
        () => false,
      )
      if (answer?.status === 202 && whole) {
        acknowledged.add(page)
        for (const each of hear) each(request)
        await setTimeout(pauseMs)
        continue
      }
      const status = answer && whole ? answer.status : 0
      refused.set(status, (refused.get(status) ?? 0) + 1)
      if (status === 503 && !/^\d+$/.test(answer?.headers.get('retry-after') ?? '')) untold++
      await setTimeout(pauseMs)
    }
  }
  const sending = Array.from({ length: senders }, (_, sender) => send(first + sender))
  return {
    sent,
    acknowledged,
    refused,
    get untold() {
      return untold
    },
    flows() {
      const sentBefore = requests
      return new Promise<void>(resolve => {
        const listener = (request: number) => {
          if (request <= sentBefore) return
          hear.delete(listener)
          resolve()
        }
        hear.add(listener)
      })
    },
    async end() {
      ended = true
      await Promise.all(sending)
    },
  }
}
