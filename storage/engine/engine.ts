/**
 * The interface of the analytics engine: it answers queries and seals past days. It hides how days are stored and where
 * they are scanned, so that another engine can implement it.
 */
import type { Answered, Query } from './query.ts'

type ReportName = Query['asked']['report']

export interface Engine {
  /**
   * Answers a query from one snapshot of the database, which includes all hits stored before the call. Sites and days
   * are numbers, instants epoch ms; it knows neither time zones nor HTTP parameters. Durations are ms, revenue is in
   * minor units of the site's currency. For an unknown site or value the answer has zeros and empty lists, with a note.
   * @throws StorageUnavailable `busy` if too many queries wait, this one takes too long or the engine is closed; other
   * reasons if the database is unavailable
   * @throws Error for an unknown dimension: callers check names with the vocabulary
   */
  query<R extends ReportName>(query: Query & { readonly asked: { readonly report: R } }): Promise<Answered<R>>

  /**
   * Seals some past days, oldest first: stores them in the form that is fastest to read. Results are the same before
   * and after. A day that changes in the meantime is tried again the next time; a late hit makes its day due again.
   * @returns whether there is more to do
   * @throws the database's errors; those of a single day go to `failed`
   */
  sealDays(sealing: Sealing): Promise<boolean>

  /**
   * Packs some days that ended before the grace, oldest first: their rows become blocks, which are read back and compared with
   * the rows before these are deleted. Results are the same before and after. Killed at any moment, it leaves days whose rows
   * or blocks are whole, and the next call continues.
   * @returns whether there is more to do
   * @throws the database's errors; those of a single day go to `failed`, which is tried again some hours later
   */
  packDays(packing: Packing): Promise<boolean>

  /** Closes the engine without waiting: pending queries are rejected. */
  close(): Promise<void>
}

export interface Packing extends Omit<Sealing, 'minVisitors'> {
  /** Age at which days are packed, ms. */
  readonly graceMs: number
  /** Most time between two days, which is otherwise as long as the last one took. */
  readonly maxRestMs?: number
  /** Most days to pack. */
  readonly limit?: number
  /** Age at which sums of days are joined, ms, and how many days a run must have to join. */
  readonly runs?: { readonly afterMs: number; readonly leastDays: number }
}

export interface Sealing {
  /** Epoch ms. */
  now(): number
  /** When aborted, the next call continues. */
  readonly signal: AbortSignal
  /** Days with fewer visitors are not sealed. */
  readonly minVisitors?: number
  /** Called after each day. */
  progress?(done: number): void
  /** Receives the error of a day that could not be sealed; it is tried again the next time. */
  failed(day: { readonly site: number; readonly day: number }, error: unknown): void
}
