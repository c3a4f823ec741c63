/**
 * The days of a file, with the first and the last hit of each. A line is checked only if it may move one of these, and of lines that
 * follow one another in time only some are: if a later one is imported, those before it change nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HitKind } from '../../../storage/hits/new-hit.ts'
import { isTurnOver } from '../../../storage/system/event-loop.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import { type TimedHit, type TimedLine, TURN_MS } from './import-hits.ts'
import type { Recorded } from './record.ts'

/** A day with its first and last hit, epoch ms. */
export interface DayTimes {
  readonly day: number
  readonly first: number
  readonly last: number
  /** Whether it has hits of its own; an engagement needs a visit that is there. */
  readonly brings?: boolean
}

interface Found {
  readonly day: number
  first: number
  last: number
  brings: boolean
}

/** Hits that are stored only with a visit that is there. */
const needsVisit: ReadonlySet<HitKind> = new Set(['engagement', 'identify'])

/** Lines that wait at most: each may have 64 KB. */
const MAX_WAITING = 64

interface Reading {
  read(recorded: Recorded): TimedLine
  /** Later hits are not stored, so their days do not count, epoch ms. */
  readonly until: number
  readonly signal: AbortSignal
}

/** Reads the days of a file. */
export async function daysInFile(
  zone: string,
  records: AsyncIterable<readonly Recorded[]>,
  { read, until, signal }: Reading,
): Promise<DayTimes[]> {
  const days = new Map<number, Found>()
  /** Lines of one day outside of its hits so far. */
  let waiting: { readonly of: Found | undefined; readonly lines: (TimedLine & { readonly at: number })[] } = { of: undefined, lines: [] }

  function count({ at, kind }: TimedHit): void {
    if (at > until) return
    const { day } = localDay(zone, at)
    const known = days.get(day) ?? { day, first: at, last: at, brings: false }
    known.first = Math.min(known.first, at)
    known.last = Math.max(known.last, at)
    known.brings ||= !needsVisit.has(kind)
    days.set(day, known)
  }

  /** Checks the outermost lines first, until one of each end is imported. */
  function settle(): void {
    const { of, lines } = waiting
    waiting = { of: undefined, lines: [] }
    lines.sort((a, b) => a.at - b.at)
    for (const line of lines) if (of && line.at < of.first) line.hits().forEach(count)
    for (const line of lines.reverse()) if (of && line.at > of.last) line.hits().forEach(count)
  }

  function take(line: TimedLine): void {
    const { at } = line
    if (at === undefined) return line.hits().forEach(count)
    if (at > until) return
    const day = days.get(localDay(zone, at).day)
    if (!day?.brings) return line.hits().forEach(count)
    const isWithin = () => at >= day.first && at <= day.last
    if (isWithin()) return
    if (waiting.of !== day || waiting.lines.length === MAX_WAITING) settle()
    if (isWithin()) return
    if (waiting.of !== day) waiting = { of: day, lines: [] }
    waiting.lines.push({ ...line, at })
  }

  for await (const piece of records) {
    if (signal.aborted) return []
    for (const recorded of piece) {
      if (isTurnOver(TURN_MS)) await nextTurn()
      take(read(recorded))
    }
  }
  settle()
  return [...days.values()].sort((a, b) => a.day - b.day)
}
