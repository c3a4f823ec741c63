/** The engine over the rows and segments of the database, which answers in threads of its own. */
import type { Store } from '../store.ts'
import type { SealedAt } from './days/database-source.ts'
import type { Engine } from './engine.ts'
import type { Local, LocalOptions } from './local.ts'
import type { Answered, Query } from './query.ts'
import type { ThreadAnswer, ThreadRequest } from './threads/messages.ts'
import { openPool } from './threads/pool.ts'
import { startThread } from './threads/thread.ts'

export interface EngineOptions {
  /** Number of worker threads, so that no report delays hits. 0 uses the calling thread, for tests and measurements. */
  readonly threads?: number
  /** Memory for decoded days and texts, for each thread. */
  readonly cacheBytes?: number
  /** A query that takes longer ends its thread. */
  readonly timeoutMs?: number
  /** Rows of a day that the calling thread reads at a time. */
  readonly rowsAtOnce?: number
  /** Of the calling thread: numbers of a cluster's columns that are fetched rather than counted there. */
  readonly maxFetched?: number
}

const MEGABYTE = 1_048_576
/** Visitors of a day that takes seconds to seal. */
const LARGE_DAY = 200_000
const MAX_SEALING_MS = 15 * 60_000

export function openEngine(store: Store, options: EngineOptions = {}): Engine {
  const { threads = 1, cacheBytes = 64 * MEGABYTE, timeoutMs = 60_000, rowsAtOnce, maxFetched } = options
  const start = (maxMs: number) => startThread({ url: store.url, cluster: store.cluster?.settings, cacheBytes }, maxMs)
  const { run, close } =
    threads === 0 ? inThisThread(store, { cacheBytes, rowsAtOnce, maxFetched }) : openPool({ threads, start: () => start(timeoutMs) })

  /** Seals a large day in a thread of its own: reports continue, and its memory is returned afterwards. */
  async function runAlone(request: ThreadRequest): Promise<ThreadAnswer> {
    const thread = await start(MAX_SEALING_MS)
    return thread.run(request).finally(() => thread.stop())
  }

  async function sealed(site: number, day: number, visitors = 0, copy = 0): Promise<SealedAt | null> {
    const request = { site, seal: day, copy }
    const answer = await runAny(request, visitors)
    if (answer === null || (typeof answer === 'object' && 'rev' in answer)) return answer
    throw new Error('asked for a sealed day, was answered otherwise')
  }

  async function matches(site: number, day: number, visitors: number, copy: number): Promise<boolean> {
    return (await runAny({ site, compare: day, copy }, visitors)) === true
  }

  const runAny = (request: ThreadRequest, visitors: number): Promise<ThreadAnswer> =>
    threads > 0 && visitors > LARGE_DAY ? runAlone(request) : run(request)

  return {
    async query<R extends Query['asked']['report']>(query: Query & { readonly asked: { readonly report: R } }): Promise<Answered<R>> {
      const answer = await run(query)
      const { report } = query.asked
      if (!answer || typeof answer !== 'object' || !('report' in answer) || answer.report !== report) {
        throw new Error(`asked for ${report}, was answered otherwise`)
      }
      return answer as unknown as Answered<R> // checked in the line above
    },
    async sealDays(sealing) {
      const { sealDays } = await import('./seal-days.ts')
      return sealDays({ store, sealed, ...sealing })
    },
    async packDays(packing) {
      const { packDays } = await import('./pack-days.ts')
      return packDays({ store, sealed, matches, ...packing })
    },
    close,
  }
}

/** Loads the code that counts with the first query. The service asks threads instead, so its start loads none of it. */
function inThisThread(store: Store, options: Pick<LocalOptions, 'cacheBytes' | 'rowsAtOnce' | 'maxFetched'>) {
  let local: Local | undefined
  return {
    async run(request: ThreadRequest): Promise<ThreadAnswer> {
      const { answerIn, openLocal } = await import('./local.ts')
      local ??= openLocal(store, options)
      return answerIn(local, request)
    },
    async close() {},
  }
}
