/** The engine over the rows and segments of the database, which answers in threads of its own. */
import type { Store } from '../store.ts'
import type { SealedAt } from './days/database-source.ts'
import type { Engine } from './engine.ts'
import { openLocal } from './local.ts'
import type { Answered, Query } from './query.ts'
import { sealDays } from './seal-days.ts'
import type { ThreadAnswer, ThreadRequest } from './threads/messages.ts'
import { openPool } from './threads/pool.ts'
import { startThread } from './threads/thread.ts'

export interface EngineOptions {
  /** Worker threads, so that no report delays hits. 0: the calling thread, for tests and measurements. */
  readonly threads?: number
  /** Memory for decoded days and texts, for each thread. */
  readonly cacheBytes?: number
  /** A query that takes longer ends its thread. */
  readonly timeoutMs?: number
}

const MEGABYTE = 1_048_576

export function openEngine(store: Store, options: EngineOptions = {}): Engine {
  const { threads = 1, cacheBytes = 64 * MEGABYTE, timeoutMs = 60_000 } = options
  const { run, close } =
    threads === 0
      ? inThisThread(store, cacheBytes)
      : openPool({ threads, start: () => startThread({ url: store.url, cacheBytes }, timeoutMs) })

  async function sealed(site: number, day: number): Promise<SealedAt | null> {
    const answer = await run({ site, seal: day })
    if (answer && 'report' in answer) throw new Error(`asked for a sealed day, was answered ${answer.report}`)
    return answer
  }

  return {
    async query<R extends Query['asked']['report']>(query: Query & { readonly asked: { readonly report: R } }): Promise<Answered<R>> {
      const answer = await run(query)
      const { report } = query.asked
      if (!answer || !('report' in answer) || answer.report !== report) {
        throw new Error(`asked for ${report}, was answered otherwise`)
      }
      return answer as unknown as Answered<R> // checked in the line above
    },
    sealDays: sealing => sealDays({ store, sealed, ...sealing }),
    close,
  }
}

function inThisThread(store: Store, cacheBytes: number) {
  const { query, sealed } = openLocal(store, { cacheBytes })
  return {
    run: (request: ThreadRequest): Promise<ThreadAnswer> => ('seal' in request ? sealed(request.site, request.seal) : query(request)),
    async close() {},
  }
}
