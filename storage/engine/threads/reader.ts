/** Where reports are read: worker threads, so that the heaviest of them does not hold up a hit. */
import { resource } from '../../../runtime/resource.ts'
import type { Answered, Query } from '../answer.ts'
import type { SealedAt } from '../days/database-source.ts'
import { openPool } from './pool.ts'
import { startThread } from './thread.ts'

type ReportName = Query['asked']['report']
type Asking<R> = Query & { readonly asked: { readonly report: R } }

export interface Reader {
  /**
   * Counts what is asked, everything in it as it is at one moment. Knows nothing of HTTP, time zones or names of
   * parameters, and nothing of databases: see `Query`.
   */
  query<R extends ReportName>(query: Asking<R>): Promise<Answered<R>>
  close(): Promise<void>
}

export interface Sealer {
  /** A day as it would be sealed now; null where there is none. */
  seal(site: number, day: number): Promise<SealedAt | null>
}

export interface ReaderOptions {
  /** Of the database. */
  readonly url: string
  readonly threads?: number
  /** Memory for decoded days and texts, each thread. */
  readonly cacheBytes?: number
  /** A query that takes longer ends its thread. */
  readonly timeoutMs?: number
}

const MEGABYTE = 1_048_576

export function openReader(options: ReaderOptions): Reader & Sealer {
  const { url, threads = 1, cacheBytes = 64 * MEGABYTE, timeoutMs = 60_000 } = options
  const pool = openPool({ threads, start: () => startThread({ url, cacheBytes }, timeoutMs) })
  return {
    async query<R extends ReportName>(query: Asking<R>): Promise<Answered<R>> {
      const answer = await pool.run(query)
      const { report } = query.asked
      if (!answer || !('report' in answer) || answer.report !== report) {
        throw new Error(`asked for ${report}, was answered otherwise`)
      }
      return answer as unknown as Answered<R> // checked in the line above
    },
    async seal(site, day) {
      const answer = await pool.run({ site, seal: day })
      if (answer && 'report' in answer) throw new Error(`asked for a sealed day, was answered ${answer.report}`)
      return answer
    },
    close: pool.close,
  }
}

export const reader = resource<Reader & Sealer>({
  name: 'reader',
  open: ({ store, config }) =>
    openReader({ url: store.url, threads: config.REPORT_THREADS, cacheBytes: config.REPORT_CACHE_MB * MEGABYTE }),
  close: reader => reader.close(),
})
