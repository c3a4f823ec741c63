/** Visitors of a day whose hits are being written. */
import type { Ids } from './dictionary-ids.ts'
import type { OfDay } from './new-texts.ts'
import type { Arrival, Visit } from './sessions.ts'

/** A site's day in one transaction: its counters (`site_days`), and the ids of its texts. */
export interface DayCounters extends OfDay {
  readonly ids: Ids
  nextVisitor: number
  nextLoose: number
  /** The `rev` before this batch. */
  readonly rev: number
}

export interface Visitor {
  readonly counters: DayCounters
  readonly hash: string
  /** 0 before the first visit. */
  number: number
  readonly visits: Visit[]
}

/** A hit whose visitor is known; its rows are made from it. */
export interface VisitorArrival extends Arrival {
  readonly visitor: Visitor
}
