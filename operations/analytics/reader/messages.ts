/** What passes between the process and a thread that reads. */
import type { Answer } from '../engine/answer.ts'
import type { Query } from '../engine/query.ts'

export interface ThreadSettings {
  /** Of the database. */
  readonly url: string
  /** Most that decoded days and texts take. */
  readonly cacheBytes: number
}
export type ThreadReply = { readonly answer: Answer } | { readonly error: unknown }
export type ThreadRequest = Query
