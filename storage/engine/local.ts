/** Answers questions in the thread that it is opened in, one at a time: over one connection, cache and workspace. */
import type { Store } from '../store.ts'
import { answer } from './answer.ts'
import { openSources, type SealedAt } from './days/database-source.ts'
import type { Answer, Query } from './query.ts'
import { openWorkspace } from './scan/workspace.ts'

export interface Local {
  query(query: Query): Promise<Answer>
  /** A day as it would be sealed now; null where there is none. */
  sealed(site: number, day: number): Promise<SealedAt | null>
}

export interface LocalOptions {
  /** Most that decoded days and texts take. */
  readonly cacheBytes: number
  /** Ms, from any origin. */
  readonly clock?: () => number
  /** Is called between days: a long question can leave its core to others. */
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
