/** What passes between the process and a thread that reads. */
import type { UnavailableReason } from '../../unavailable.ts'
import type { SealedAt } from '../days/database-source.ts'
import type { Answer, Query } from '../query.ts'

export interface ThreadSettings {
  /** Of the database. */
  readonly url: string
  /** Most that decoded days and texts take. */
  readonly cacheBytes: number
}
export type ThreadRequest = Query | SealRequest
export type ThreadAnswer = Answer | SealedAt | null
/** A class of error does not cross threads: where the database cannot be used, its reason does. */
export type ThreadReply =
  | { readonly answer: ThreadAnswer }
  | { readonly unavailable: UnavailableReason; readonly message: string }
  | { readonly error: unknown }

/** Asks for a day as it would be sealed; null is answered where there is no such day. */
export interface SealRequest {
  readonly site: number
  readonly seal: number
}
