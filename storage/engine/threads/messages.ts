/** Messages between the process and a report thread. */
import type { ClusterSettings } from '../../cluster/cluster.ts'
import type { UnavailableReason } from '../../values/storage-unavailable.ts'
import type { SealedAt } from '../days/database-source.ts'
import type { Answer, Query } from '../query.ts'

export interface ThreadSettings {
  /** URL of the database. */
  readonly url: string
  /** The cluster that stores sealed days of the database. */
  readonly cluster: ClusterSettings | undefined
  /** Limit for decoded days and texts. */
  readonly cacheBytes: number
}
export type ThreadRequest = Query | SealRequest | CompareRequest
export type ThreadAnswer = Answer | SealedAt | boolean | null
/** Sent once, when the thread has loaded everything. */
export const READY = 'ready'
/** Error classes do not cross threads: if the database is unavailable, the reason is sent. */
export type ThreadReply =
  | { readonly answer: ThreadAnswer }
  | { readonly unavailable: UnavailableReason; readonly message: string; readonly cause: string | undefined }
  | { readonly error: unknown }

/** Requests a day in sealed form; the answer is null if it does not exist. */
export interface SealRequest {
  readonly site: number
  readonly seal: number
  /** The number of the copy to make, as `Sources` says. */
  readonly copy: number
}

/** Asks whether a packed copy has the rows of its day. */
export interface CompareRequest {
  readonly site: number
  readonly compare: number
  readonly copy: number
}
