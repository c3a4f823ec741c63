/**
 * The memory that a thread scans with. Scans run one after another and share its buffers; the code that answers queries
 * owns it and passes it on.
 */
import { type CounterPool, openCounterPool, type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import type { KeyHitsCache } from './key-hits.ts'
import { Masks } from './mask.ts'

export interface Workspace {
  readonly masks: Masks
  readonly keyHits: KeyHitsCache
  readonly counters: CounterPool
  /** Indexes of the visits that the current scan selects. */
  readonly keptVisits: ReusedBuffer<Uint32Array>
  /** A number for each minute of a day. */
  readonly minutes: ReusedBuffer<Uint32Array>
}

export function openWorkspace(): Workspace {
  const keyHits: KeyHitsCache = new WeakMap()
  return {
    masks: new Masks(keyHits),
    keyHits,
    counters: openCounterPool(),
    keptVisits: reusedBuffer(Uint32Array),
    minutes: reusedBuffer(Uint32Array),
  }
}
