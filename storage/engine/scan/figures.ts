/** Numbers of a visit that conditions and rows are made of: how long it was, whether it bounced, when it began. (Every `!` is inside bounds.) */
import { hourAt } from '../../calendar/zones.ts'
import type { DayColumns } from '../days/day.ts'
import { columnsRead, NO_COLUMNS, type Reads } from '../days/reads.ts'
import type { FigureName } from '../vocabulary/derived.ts'
import { type FirstVisits, firstVisitRead, startIn } from './first-visits.ts'
import { HOUR_MS } from '../../values/durations.ts'

export interface Figure {
  readonly reads: Reads
  /** The number of a visit of the day. */
  of(day: DayColumns): (visit: number) => number
}

/** Data about the site that the numbers of visits need. */
export interface Known {
  /** The site's time zone; without one, hours are counted from the start of the day. */
  readonly zone: string | undefined
  /** Null if the query asks for no new persons. */
  readonly firstVisits: FirstVisits | null
}

export function figureOf(name: FigureName, { zone, firstVisits }: Known): Figure {
  switch (name) {
    case 'visit_duration':
      return {
        reads: columnsRead('visits.duration', 'visits.bounce'),
        of:
          ({ visits: { duration, bounce } }) =>
          v =>
            bounce[v] === 1 ? 0 : duration[v]!,
      }
    case 'visit_pageviews':
      return {
        reads: columnsRead('visits.pageviews'),
        of:
          ({ visits: { pageviews } }) =>
          v =>
            pageviews[v]!,
      }
    case 'bounce':
      return {
        reads: columnsRead('visits.bounce'),
        of:
          ({ visits: { bounce } }) =>
          v =>
            bounce[v]!,
      }
    case 'site':
      return {
        reads: NO_COLUMNS,
        of({ runs }) {
          if (!runs) return () => 1
          let run = 0
          return v => {
            while (v >= runs[run]!.visits[1]) run++
            while (v < runs[run]!.visits[0]) run--
            return runs[run]!.place
          }
        },
      }
    case 'hour':
      return {
        reads: columnsRead('visits.firstHit', 'hits.at'),
        of({ startsAt, zone: own = zone, visits: { firstHit }, hits: { at } }) {
          const hour = (time: number) => (own === undefined ? Math.floor(time / HOUR_MS) % 24 : hourAt(own, startsAt + time))
          return v => hour(at[firstHit[v]!] ?? 0)
        },
      }
    case 'new_person':
      return {
        reads: firstVisitRead,
        of(day) {
          const { person } = day.visits
          const start = startIn(day)
          return v => (person[v] === 0 ? 0 : firstVisits?.startOf(person[v]!) === start(v) ? 2 : 1)
        },
      }
  }
}

/** A test of the number of a visit. */
export interface FigureTest {
  readonly reads: Reads
  /** Whether a visit of the day passes. */
  of(day: DayColumns): (visit: number) => boolean
}

/** @param passes runs once for each number that occurs */
export function figureTest({ reads, of }: Figure, passes: (number: number) => boolean): FigureTest {
  const known = new Map<number, boolean>()
  return {
    reads,
    of(day) {
      const numberOf = of(day)
      return v => {
        const number = numberOf(v)
        const before = known.get(number)
        if (before !== undefined) return before
        const is = passes(number)
        known.set(number, is)
        return is
      }
    },
  }
}
