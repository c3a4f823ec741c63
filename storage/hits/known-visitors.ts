/**
 * Visitors of the days that an import fills, from one batch to the next. They are as the last batch left them while the `rev` of their
 * day is the one that it gave the day.
 */
import type { Visitor } from './visitor.ts'

export interface KnownDay {
  /** Whether it has all visitors of the day. */
  readonly isComplete: boolean
  /** By hash. */
  readonly visitors: Map<string, Pick<Visitor, 'number' | 'visits'>>
}

export interface KnownVisitors {
  /** Hands over a day, which is known again once it is remembered; undefined if another writer has changed it. */
  take(day: string, rev: number): KnownDay | undefined
  /** Call after the commit. @param changed the visitors that the batch read */
  remember(day: string, known: KnownDay, { changed, rev }: { changed: Iterable<Visitor>; rev: number }): void
}

/** Most visitors, of all days together. A larger day is looked up again. */
const MAX_VISITORS = 2_000

export function knownVisitors(): KnownVisitors {
  const days = new Map<string, KnownDay & { readonly rev: number }>()
  let size = 0

  function forget(day: string): void {
    size -= days.get(day)?.visitors.size ?? 0
    days.delete(day)
  }

  return {
    take(day, rev) {
      const known = days.get(day)
      forget(day)
      return known?.rev === rev ? known : undefined
    },
    remember(day, { isComplete, visitors }, { changed, rev }) {
      forget(day)
      for (const { hash, number, visits } of changed) {
        for (const visit of visits) {
          if (visit.arrivals.length > 0) Object.assign(visit, { stored: true, restated: false, arrivals: [], absorbed: [] })
        }
        visitors.set(hash, { number, visits })
      }
      days.set(day, { isComplete, visitors, rev })
      size += visitors.size
      for (const oldest of days.keys()) if (size > MAX_VISITORS) forget(oldest)
    },
  }
}
