/** Answers queries in the calling thread, one at a time: with one connection, cache and workspace. */
import type { Store } from '../store.ts'
import { answer } from './answer.ts'
import { openSources, type SealedAt } from './days/database-source.ts'
import type { Answer, Query } from './query.ts'
import type { ThreadAnswer, ThreadRequest } from './threads/messages.ts'
import { openWorkspace } from './scan/workspace.ts'

export interface Local {
  query(query: Query): Promise<Answer>
  /** A day in sealed form, as `Sources` says; null if it does not exist. */
  sealed(site: number, day: number, copy?: number): Promise<SealedAt | null>
  /** As `Sources` says. */
  matches(site: number, day: number, copy: number): Promise<boolean>
}

export interface LocalOptions {
  /** Limit for decoded days and texts. */
  readonly cacheBytes: number
  /** Ms, from any origin. */
  readonly clock?: () => number
  /** Rows of a day that are read at a time; tests have fewer. */
  readonly rowsAtOnce?: number | undefined
  /** Numbers of a cluster's columns that are fetched rather than counted there; tests have 0. */
  readonly maxFetched?: number | undefined
  /** Called between days, so that a long query can yield its core. */
  readonly pause?: () => void
}

export function openLocal(
  store: Pick<Store, 'read' | 'cluster' | 'dialect'>,
  { cacheBytes, clock = () => performance.now(), rowsAtOnce, maxFetched, pause }: LocalOptions,
): Local {
  const sources = openSources(store, { bytes: cacheBytes, clock, max: rowsAtOnce, fetched: maxFetched })
  const workspace = openWorkspace()
  return {
    query: query => sources.at(query, source => answer({ query, source, workspace, pause })),
    sealed: (site, day, copy = 0) => sources.seal(site, day, copy),
    matches: sources.matches,
  }
}

/** Answers what may be asked of a thread. */
export async function answerIn(local: Local, request: ThreadRequest): Promise<ThreadAnswer> {
  if ('seal' in request) return local.sealed(request.site, request.seal, request.copy)
  if ('compare' in request) return local.matches(request.site, request.compare, request.copy)
  return local.query(request)
}
