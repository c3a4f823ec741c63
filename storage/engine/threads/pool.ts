/**
 * Shares threads between sites. Every site has a preferred thread, which caches its days; a thread without work of its
 * own takes the query that has waited longest. Sites take turns, so that many queries of one do not delay the others. A
 * thread that ended is restarted with the next query.
 */
import { StorageUnavailable } from '../../values/storage-unavailable.ts'
import type { ThreadAnswer, ThreadRequest } from './messages.ts'
import type { Thread } from './thread.ts'

export interface Pool {
  run(request: ThreadRequest): Promise<ThreadAnswer>
  /** Ends the threads; pending queries are rejected. */
  close(): Promise<void>
}

interface Job {
  readonly request: ThreadRequest
  resolve(answer: ThreadAnswer): void
  reject(error: unknown): void
}
interface Seat {
  readonly index: number
  thread: Promise<Thread> | null
  busy: boolean
}

const MAX_WAITING = 1_000

const stopping = () => new StorageUnavailable('stopping', 'The service is stopping.')
const tooMany = () => new StorageUnavailable('reports_waiting', 'Too many reports are waiting; try again shortly.')

export function openPool({ threads, start }: { threads: number; start(): Promise<Thread> }): Pool {
  const seats: Seat[] = Array.from({ length: threads }, (_, index) => ({ index, thread: null, busy: false }))
  /** By site; the order of keys is the order of turns. */
  const waiting = new Map<number, Job[]>()
  let count = 0
  let closed = false

  function next({ index }: Seat): Job | undefined {
    const sites = [...waiting.keys()]
    const site = sites.find(number => number % threads === index) ?? sites[0]
    const jobs = site === undefined ? undefined : waiting.get(site)
    const job = jobs?.shift()
    if (site === undefined || !jobs || !job) return undefined
    waiting.delete(site)
    if (jobs.length > 0) waiting.set(site, jobs)
    count--
    return job
  }

  async function work(seat: Seat): Promise<void> {
    if (seat.busy) return
    seat.busy = true
    for (let job = next(seat); job; job = next(seat)) {
      const { request, resolve, reject } = job
      await threadOf(seat)
        .then(thread => thread.run(request))
        .then(resolve, reject)
    }
    seat.busy = false
  }

  async function threadOf(seat: Seat): Promise<Thread> {
    if (closed) throw stopping()
    const known = await seat.thread?.catch(() => null)
    if (known && !known.ended) return known
    seat.thread = start()
    return seat.thread
  }

  return {
    run: request =>
      new Promise((resolve, reject) => {
        if (closed) return reject(stopping())
        if (count >= MAX_WAITING) return reject(tooMany())
        const jobs = waiting.get(request.site) ?? []
        jobs.push({ request, resolve, reject })
        waiting.set(request.site, jobs)
        count++
        const preferred = seats[request.site % threads]
        const idle = preferred?.busy === false ? preferred : seats.find(seat => !seat.busy)
        if (idle) void work(idle)
      }),
    async close() {
      closed = true
      for (const seat of seats)
        await seat.thread?.then(
          thread => thread.stop(),
          () => {},
        )
    },
  }
}
