/** The days that a part asks about, and those that it is compared with. */
import { calendar } from '../../../reports/stats/index.ts'
import { dateOf } from '../../../../storage/calendar/zones.ts'
import { type Days, inputOf, lastDays, type Today, unitAt, thisUnit } from './days.ts'
import type { Against } from './lexicon.ts'
import type { Part } from './part.ts'
import { Unclear } from './extract.ts'
import { m } from '../messages.ts'

export interface Ranged {
  readonly days: Days
  /** `period`, `from`, `to` and how they are compared. */
  readonly input: Readonly<Record<string, string>>
  readonly isCompared: boolean
}

/** @throws Unclear */
export function rangedOf(part: Part, today: Today): Ranged {
  const [days, against] = datesOf(part, today)
  const compare =
    against === null ? {} : typeof against === 'string' ? namedComparison(against, days, today) : comparedWith(days, against, today)
  return { days, input: { ...inputOf(days), ...compare }, isCompared: 'compare' in compare }
}

/** The range, and what it is compared with; null for nothing, as nothing was before. */
function datesOf(part: Part, today: Today): [Days, Days | Against | null] {
  const { dates, against, isCompared, direction, isTrend, interval } = part
  const own = dates.filter(({ isAgainst }) => !isAgainst)
  const [other] = dates.filter(({ isAgainst }) => isAgainst)
  if (own.length > 2 || (own.length === 2 && (other || !isCompared))) throw new Unclear(m.more_than_one_period())
  const [first, second] = own
  if (first && second) return [first.days, second.days]
  if (other) return [first?.days ?? counterpartOf(other.days, today), against ?? other.days]
  if (first?.since && direction !== undefined && !isTrend && interval === null && isOver(first.since, today))
    return [counterpartOf(first.since, today), first.since]
  const days = first?.days ?? defaultFor(against, today)
  return [days, days.period === 'all' ? null : (against ?? 'before')]
}

const isOver = ({ unit, to }: Days, { today }: Today): boolean => unit !== undefined && unit !== 'day' && to < today

function defaultFor(against: Against | null, today: Today): Days {
  if (against === 'same_day_last_week' || against === 'day_before') return unitAt({ unit: 'day', today, by: 0, words: m.today() })
  return lastDays(30, today)
}

/** The current period in a comparison with an earlier one: this month compared with October. */
function counterpartOf({ unit, from, to }: Days, today: Today): Days {
  if (unit !== undefined) return unitAt({ unit, today, by: 0, words: thisUnit[unit]() })
  return lastDays(to - from + 1, today)
}

type Compare = Readonly<Record<string, string>>
const custom = (from: number, to: number): Compare => ({ compare: 'custom', compare_from: dateOf(from), compare_to: dateOf(to) })

function namedComparison(against: Against, days: Days, today: Today): Compare {
  if (days.period === 'all') throw new Unclear(m.nothing_before_all_time())
  if (against === 'year_before') return { compare: 'previous_year' }
  if (against === 'day_before' || against === 'same_day_last_week') {
    if (days.from !== days.to) throw new Unclear(m.day_with_a_day())
    const back = against === 'day_before' ? 1 : 7
    return custom(days.from - back, days.to - back)
  }
  return before(days, today)
}

/** The earlier period: for a day the same weekday, of a week, a month … the one before, as far as this one has come. */
function before(days: Days, today: Today): Compare {
  const { unit, period, from, to } = days
  if (unit === 'day' || unit === 'week') return custom(from - 7, to - 7)
  if (period !== undefined || unit === undefined) return isWeekend(days) ? custom(from - 7, to - 7) : { compare: 'previous_period' }
  return comparedWith(
    days,
    { from: calendar.startOf({ unit, day: from, by: -1 }), to: calendar.startOf({ unit, day: from }) - 1, unit },
    today,
  )
}
const isWeekend = ({ from, to }: Days): boolean => calendar.weekday(from) === 6 && to - from <= 1 && to >= from && calendar.weekday(to) >= 6

/** With other days: with as many of them as there have been of a unit that is not over. */
function comparedWith(days: Days, other: Days, { today }: Today): Compare {
  if (other.period === 'all' || days.period === 'all') throw new Unclear(m.all_time_compared())
  const isUnder = days.to === today && days.unit !== undefined && days.unit === other.unit && other.to < today
  if (!isUnder) return custom(other.from, other.to)
  const isBefore =
    days.unit !== undefined &&
    days.unit !== 'day' &&
    days.unit !== 'week' &&
    calendar.startOf({ unit: days.unit, day: days.from, by: -1 }) === other.from
  return isBefore && days.period !== undefined
    ? { compare: 'previous_period' }
    : custom(other.from, Math.min(other.to, other.from + days.to - days.from))
}
