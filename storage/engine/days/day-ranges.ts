/**
 * Sums of neighbouring days as those of one day: what is counted without conditions adds up over days, so that a year
 * is read from some twenty stretches. They are put together when they are first asked for, and stand while none of
 * their days changes.
 */
import type { Day } from './day.ts'
import type { SiteDay } from './read-days.ts'
import { openShape, type SealedDay, type Wanted } from './sealed-day.ts'
import { type SumsName, sumsNumbers } from './sealed-columns.ts'
import type { Wish } from './source.ts'
import { addedUp, allAddedUp } from './sums.ts'

/** Days a stretch is wide, its first one a multiple of that. Wide ones are put together from narrow ones. */
export type Width = 64 | 8
/** The widest first. */
export const WIDTHS: readonly Width[] = Object.freeze([64, 8])

/** Days that stand as one; of width 1 it is one day. */
export interface Stretch {
  readonly width: Width | 1
  readonly days: readonly SiteDay[]
  /** Of each of them. Null: nothing. */
  readonly wanted: Wanted | null
}
/** All the days of a site that are numbered so. */
export interface Days {
  readonly from: number
  readonly to: number
  readonly list: readonly SiteDay[]
  /** How wide their stretches may be, the widest first. */
  readonly widths: readonly Width[]
}

/** The fewest stretches that make up these days under a wish. Days that may still change stand alone. */
export function stretchesOf({ from, to, list, widths }: Days, wish: Wish): Stretch[] {
  const stretches: Stretch[] = []
  for (let i = 0; i < list.length;) {
    const stretch = widestAt(i)
    stretches.push(stretch)
    i += stretch.days.length
  }
  return stretches

  function widestAt(i: number): Stretch {
    const first = list[i] as SiteDay // inside of the list
    const wanted = wish.of(first)
    for (const width of wanted ? widths : []) {
      const begins = beginOf(first.day, width)
      if (begins < from || begins + width - 1 > to || (i > 0 && (list[i - 1]?.day ?? 0) >= begins)) continue
      let end = i
      while (list[end]?.sealed && (list[end]?.day ?? 0) < begins + width) end++
      const last = list[end - 1]
      const isWhole = end === list.length || (list[end]?.day ?? 0) >= begins + width
      if (!last || first === last || !isWhole) continue
      if (wish.together(first, last)) return { width, days: list.slice(i, end), wanted }
    }
    return { width: 1, days: [first], wanted }
  }
}

const beginOf = (day: number, width: Width): number => Math.floor(day / width) * width

/** The days of a stretch, to be taken as narrower ones. */
export function within(width: Width, list: readonly SiteDay[]): Days {
  const from = beginOf(list[0]?.day ?? 0, width)
  return { from, to: from + width - 1, list, widths: WIDTHS.filter(narrower => narrower < width) }
}

/** A day that has only the sums that others have together. */
export function openStretch(days: readonly SiteDay[], parts: readonly Day[]): SealedDay {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) throw new Error('a stretch has no days')
  const total = (count: (day: Day) => number): number => parts.reduce((sum, day) => sum + count(day), 0)
  return openShape({ day: first.day, startsAt: first.startsAt, endsAt: last.endsAt }, {
    totals: allAddedUp(parts.map(day => day.sums)),
    parts: {
      visits: { count: total(({ visits }) => visits.count), visitors: total(({ visits }) => visits.visitors) },
      hits: { count: total(({ hits }) => hits.count) },
      props: { count: total(({ props }) => props.count) },
      vitals: {},
      clicks: {},
    },
  })
}

/** Has a stretch hold more sums of its days. */
export function holdSums(stretch: SealedDay, numbers: readonly number[], parts: readonly Day[]): void {
  for (const number of numbers) {
    if (stretch.has('sums', number)) continue // another query brought it meanwhile
    const name = names.get(number)
    if (!name) throw new Error(`there are no sums ${number}`)
    stretch.hold(number, addedUp(parts.map(day => day.sums[name])))
  }
}

const names = new Map(Object.entries(sumsNumbers).map(([name, number]) => [number, name as SumsName])) // its keys
