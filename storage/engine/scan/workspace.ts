/**
 * The memory one thread scans with. Scans run one after the other, so that the same buffers serve all of them; whoever
 * answers questions owns one and hands it on.
 */
import { type CounterPool, openCounterPool, type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import type { KeyHitsCache } from './key-hits.ts'
import { Masks } from './mask.ts'

export interface Workspace {
  readonly masks: Masks
  readonly keyHits: KeyHitsCache
  readonly counters: CounterPool
  /** Places of the visits that the present scan keeps. */
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
