/**
 * What the rest of the service sees of the analytics engine: questions go in, answers come out, days that are over are
 * sealed. It says nothing of how days are kept or where they are scanned, so that another engine may stand behind it.
 */
import type { Answered, Query } from './query.ts'

type ReportName = Query['asked']['report']

export interface Engine {
  /**
   * Answers a question; everything in the answer is as it is in one snapshot of the database, which has all hits that
   * were stored before the call. It knows sites by number, days by number and instants in epoch ms; no time zones, no
   * parameters of HTTP. Durations are ms, revenue is in minor units of the site's currency. Of a site or values that
   * are not known the answer is zeros and empty lists, with a note.
   * @throws StorageUnavailable `busy` when too many questions wait, this one takes too long or the engine is closed, and
   *   the other reasons where the database is why
   * @throws Error for a dimension there is not: callers check names with the vocabulary
   */
  query<R extends ReportName>(query: Query & { readonly asked: { readonly report: R } }): Promise<Answered<R>>

  /**
   * Seals days that are over: brings some of them, the oldest first, into the form that is read fastest. Answers are
   * the same before and after it. A day that changes meanwhile stays as it is until the next time; a hit that comes late
   * makes its day due again.
   * @returns whether there is more to do
   * @throws what the database throws; what is wrong with one day is told to `failed`
   */
  sealDays(sealing: Sealing): Promise<boolean>

  /** Waits for nothing: questions that are not answered yet are rejected. */
  close(): Promise<void>
}

export interface Sealing {
  /** Epoch ms. */
  now(): number
  /** Aborted: what is left, the next call does. */
  readonly signal: AbortSignal
  /** Days of fewer visitors are not worth it. */
  readonly leastVisitors?: number
  /** Is called after each day. */
  progress?(done: number): void
  /** Is told why a day could not be sealed: it is tried again the next time. */
  failed(day: { readonly site: number; readonly day: number }, error: unknown): void
}
