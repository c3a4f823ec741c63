/**
 * Days cut again after a change of the time zone. A stored day keeps the boundaries of the zone in which its hits came. Of such a
 * day, reports get one view for each day of the present zone that it touches: the same columns, of which only the hits in the
 * view's time count. So each figure counts days of the present zone from the moment of the change on.
 */
import type { Calendar } from '../vocabulary/scope.ts'
import type { Day, DayBounds } from './day.ts'
import { allReads, type Reads } from './reads.ts'
import type { DayRequest, Source } from './source.ts'

/** @param calendar days of the present zone; later days are stored with its boundaries */
export function recutSource(source: Source, calendar: Calendar): Source {
  const stored = new WeakMap<Day, Day>()
  const storedOf = (day: Day): Day => stored.get(day) ?? day
  const [first = Infinity, last = -Infinity] = [calendar.starts[0], calendar.starts.at(-1)]
  return {
    texts: source.texts,
    measures: {
      vitals: (day, page) => source.measures.vitals(storedOf(day), page),
      clicks: (day, page) => source.measures.clicks(storedOf(day), page),
    },
    async days(fromDay, toDay, request) {
      const found = await source.days(fromDay, toDay, ofStored(request, calendar, { first, last }))
      return viewed(found)
    },
  }

  async function* viewed(found: Iterable<readonly Day[]> | AsyncIterable<readonly Day[]>): AsyncGenerator<Day[]> {
    for await (const days of found) {
      yield days.flatMap(day =>
        viewsOf(day, calendar).map(bounds => {
          const view = viewOf(day, bounds)
          if (view !== day) stored.set(view, day)
          return view
        }),
      )
    }
  }
}

/** Reads of a stored day, by all its views. */
function ofStored({ of, together }: DayRequest, calendar: Calendar, { first, last }: { first: number; last: number }): DayRequest {
  const known = new Map<string, Reads>()
  function joined(each: readonly Reads[]): Reads {
    const key = each.map(({ columns, sums }) => `${[...columns].join()};${[...sums].join()}`).join('|')
    const reads = known.get(key) ?? allReads(each)
    known.set(key, reads)
    return reads
  }
  return {
    of(day) {
      const [first, ...others] = viewsOf(day, calendar).flatMap(view => of(view) ?? [])
      return first === undefined ? null : others.length === 0 ? first : joined([first, ...others])
    },
    together: (reads, from, to) => (from.startsAt >= last || to.endsAt <= first) && together(reads, from, to),
  }
}

/** The days of the present zone that a stored day touches, in order; the day itself if it is one of them. */
export function viewsOf(day: DayBounds, { firstDay, starts }: Calendar): readonly DayBounds[] {
  const { startsAt, endsAt } = day
  if (startsAt >= (starts.at(-1) ?? -Infinity) || endsAt <= (starts[0] ?? Infinity)) return [day]
  const views: DayBounds[] = []
  let i = lastNotAfter(starts, startsAt)
  for (let from = startsAt; from < endsAt; i++) {
    const to = Math.min(endsAt, starts[i + 1] ?? Infinity)
    if (to > from) views.push({ day: firstDay + i, startsAt, endsAt, cut: { from, to, isLast: to === endsAt } })
    from = to
  }
  const [only] = views
  if (!only || views.length > 1) return views
  return only.day === day.day ? [day] : [{ day: only.day, startsAt, endsAt }]
}

/** The index of the last number that is not greater; -1 if there is none. */
function lastNotAfter(sorted: readonly number[], number: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= number) low = middle + 1
    else high = middle
  }
  return low - 1
}

function viewOf(day: Day, bounds: DayBounds): Day {
  if (bounds.cut === undefined && bounds.day === day.day) return day
  const { startsAt, endsAt, cut, day: number } = bounds
  return {
    day: number,
    stored: day.day,
    startsAt,
    endsAt,
    ...(cut && { cut }),
    visits: day.visits,
    hits: day.hits,
    props: day.props,
    get vitals() {
      return day.vitals
    },
    get clicks() {
      return day.clicks
    },
    get sums() {
      return day.sums
    },
    bytes: day.bytes,
  }
}
