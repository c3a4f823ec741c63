import { on } from './listen.ts'
import { post } from './send.ts'

/** Hits that wait; the oldest is dropped for a new one. */
const MAX_WAITING = 50
/** A visit ends after 30 minutes, and a hit counts when it arrives: older ones would be visits that never were. In ms. */
const MAX_AGE = 1_800_000

interface Waiting {
  readonly url: string
  readonly body: string
  readonly at: number
  readonly resolve: (answer: { status: number }) => void
  readonly reject: (error: unknown) => void
}

/** Posts; what the network does not take waits in memory until the browser is online, or another hit has arrived. */
export const createPatientPost = () => {
  const waiting: Waiting[] = []

  const keep = (hit: Waiting) => {
    waiting.push(hit)
    if (waiting.length > MAX_WAITING) waiting.shift()?.reject('offline')
  }

  const send = (hit: Waiting): Promise<unknown> =>
    post(hit.url, hit.body).then(
      answer => {
        hit.resolve(answer)
        return sendWaiting()
      },
      () => keep(hit),
    )

  /** One after another, because an engagement needs its pageview before it. */
  const sendWaiting = async () => {
    for (const hit of waiting.splice(0)) {
      if (Date.now() - hit.at < MAX_AGE) await send(hit)
      else hit.reject('offline')
    }
  }

  on('online', sendWaiting)
  return (url: string, body: string) =>
    new Promise<{ status: number }>((resolve, reject) => {
      const hit = { url, body, at: Date.now(), resolve, reject }
      if (navigator.onLine) send(hit)
      else keep(hit)
    })
}
