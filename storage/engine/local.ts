/** Answers queries in the calling thread, one at a time: with one connection, cache and workspace. */
import type { Store } from '../store.ts'
import { answer } from './answer.ts'
import { openSources, type SealedAt } from './days/database-source.ts'
import type { Answer, Query } from './query.ts'
import { openWorkspace } from './scan/workspace.ts'

export interface Local {
  query(query: Query): Promise<Answer>
  /** A day in sealed form; null if it does not exist. */
  sealed(site: number, day: number): Promise<SealedAt | null>
}

export interface LocalOptions {
  /** Limit for decoded days and texts. */
  readonly cacheBytes: number
  /** Ms, from any origin. */
  readonly clock?: () => number
  /** Called between days, so that a long query can yield its core. */
  readonly pause?: () => void
}

export function openLocal(store: Pick<Store, 'read'>, { cacheBytes, clock = () => performance.now(), pause }: LocalOptions): Local {
  const sources = openSources(store, cacheBytes, clock)
  const workspace = openWorkspace()
  return {
    query: query => sources.at(query.site, source => answer(query, source, workspace, pause)),
    sealed: sources.seal,
  }
}
