/**
 * The memory that a thread scans with. Scans run one after another and share its buffers; the code that answers queries
 * owns it and passes it on.
 */
import { type CounterPool, openCounterPool, type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import type { Day } from '../days/day.ts'
import type { EventVisitsCache } from './event-visits.ts'
import type { KeyHitsCache } from './key-hits.ts'
import { Masks } from './mask.ts'
import { MetHits } from './met-hits.ts'
import { Narrowings } from './narrowing.ts'
import { payingVisits } from './paying.ts'
import { SeenPages } from './seen-pages.ts'
import type { PairRunsCache, PairSumsCache } from './table-tally.ts'

export interface Workspace {
  readonly masks: Masks
  readonly keyHits: KeyHitsCache
  readonly eventVisits: EventVisitsCache
  readonly met: MetHits
  readonly narrowings: Narrowings
  readonly counters: CounterPool
  readonly pairSums: PairSumsCache
  readonly pairRuns: PairRunsCache
  readonly paying: (day: Day) => Uint32Array
  /** Indexes of the visits that the current scan selects. */
  readonly keptVisits: ReusedBuffer<Uint32Array>
  /** A number for each minute of a day. */
  readonly minutes: ReusedBuffer<Uint32Array>
}

export function openWorkspace(): Workspace {
  const keyHits: KeyHitsCache = new WeakMap()
  const eventVisits: EventVisitsCache = new WeakMap()
  const met = new MetHits(keyHits, eventVisits)
  const seen = new SeenPages()
  return {
    masks: new Masks(keyHits, eventVisits, met, seen),
    keyHits,
    eventVisits,
    met,
    narrowings: new Narrowings(met, seen),
    counters: openCounterPool(),
    pairSums: new WeakMap(),
    pairRuns: new WeakMap(),
    paying: payingVisits(),
    keptVisits: reusedBuffer(Uint32Array),
    minutes: reusedBuffer(Uint32Array),
  }
}
