/** What passes between the process and a thread that reads. */
import type { Answer, Query } from '../answer.ts'
import type { SealedAt } from '../days/database-source.ts'

export interface ThreadSettings {
  /** Of the database. */
  readonly url: string
  /** Most that decoded days and texts take. */
  readonly cacheBytes: number
}
export type ThreadRequest = Query | SealRequest
export type ThreadAnswer = Answer | SealedAt | null
export type ThreadReply = { readonly answer: ThreadAnswer } | { readonly error: unknown }

/** Asks for a day as it would be sealed; null is answered where there is no such day. */
export interface SealRequest {
  readonly site: number
  readonly seal: number
}
