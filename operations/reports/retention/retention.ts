/** Retention: queries the engine and converts the result to the form of the API. */
import { failWith } from '../../../runtime/table/errors.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import { dateOf, dayStart, localDay } from '../../../storage/calendar/zones.ts'
import type { Returns } from '../../../storage/engine/index.ts'
import { type Goal, ZONE_CHANGE_DAYS } from '../../../storage/engine/vocabulary/scope.ts'
import type { Db } from '../../../storage/store.ts'
import {
  type Applied,
  calendar,
  dimensionOf,
  type Engine,
  labelOf,
  percentOf,
  periodOf,
  presentDays,
  queryOf,
  type Report,
  unidentifiedNotes,
  withNotes,
} from '../stats/index.ts'
import { MAX_PERIODS, type RetentionInput } from './input.ts'
import { m } from './messages.ts'
import type { Retention } from './records.ts'

interface Deps {
  readonly db: Db
  readonly engine: Engine
  /** Epoch ms. */
  readonly now: number
}

/** @throws Failure 422 if the range has too many periods */
export async function retention(
  applied: Applied,
  input: RetentionInput,
  { db, engine, now }: Deps,
): Promise<Report<Static<typeof Retention>>> {
  const { range, goals, site, meta } = applied
  const { timezone } = site
  const today = localDay(timezone, now).day
  const starts = periodStarts(input.interval, { from: range.fromDay, to: range.toDay, weekStart: site.week_start })
  const [first = 0, end = 0] = [starts[0], starts.at(-1)]
  const lastDay = Math.min(end - 1, today)
  const goalOf = (id = '') => goals.find(goal => goal.id === id) ?? null
  const { by = '', return_event = '', limit } = input
  const found = await engine.query({
    ...queryOf(applied),
    calendar: await presentDays(db, site, { fromDay: 0, toDay: lastDay }),
    asked: {
      report: 'retention',
      starts,
      // Days before the range say who came for the first time in it. A site that moved west has a day more.
      span: {
        from: 0,
        to: dayStart(timezone, lastDay + 1),
        fromDay: 0,
        toDay: lastDay === today ? today + ZONE_CHANGE_DAYS : lastDay,
        whole: true,
      },
      born: goalOf(input.goal_id),
      returned: return_event === '' ? goalOf(input.return_goal_id) : eventGoal(return_event),
      by: by === '' ? null : by,
      limit,
    },
  })
  const isOver = (period: number) => (starts[period + 1] ?? Infinity) <= today
  const curveOf = (cohorts: readonly Returns[]) => curve(cohorts, isOver)
  const dimension = by === '' ? undefined : dimensionOf(by)
  return {
    data: {
      period: periodOf({ from: dayStart(timezone, first), to: dayStart(timezone, end), fromDay: first, toDay: end - 1 }),
      interval: input.interval,
      goal_id: input.goal_id || null,
      return_goal_id: input.return_goal_id || null,
      return_event: return_event || null,
      people: sum(found.cohorts, ({ people }) => people),
      cohorts: found.cohorts.map(({ people, customers, repeated, cells }, i) => ({
        first_day: dateOf(starts[i] ?? 0),
        last_day: dateOf((starts[i + 1] ?? 0) - 1),
        people,
        revenue: sum(cells, ({ revenue }) => revenue),
        customers,
        repeat_customers: repeated,
        cells: cells
          .filter((_, index) => (starts[i + index] ?? Infinity) <= today)
          .map((cell, index) => ({ index, ...cell, percent: shareOf(cell.people, people), unfinished: !isOver(i + index) })),
      })),
      curve: curveOf(found.cohorts),
      ...(dimension && {
        by,
        groups: found.groups.map(({ value, people, revenue, customers, repeated, cohorts }) => ({
          value: value === '' ? dimension.blank : value,
          label: labelOf(dimension, value),
          people,
          revenue,
          customers,
          repeat_customers: repeated,
          curve: curveOf(cohorts),
        })),
      }),
    },
    meta: withNotes(meta, [...found.notes, ...unidentifiedNotes(site, ['people'])]),
  }
}

/** 0000-01-01: no day before it can be written. */
const FIRST_DATE = -719_528

/** The first days of the periods that a range touches, and of the one after. @throws Failure 422 for too many of them */
export function periodStarts(
  unit: RetentionInput['interval'],
  { from, to, weekStart }: { from: number; to: number; weekStart: number },
): number[] {
  const starts = [Math.max(calendar.startOf({ unit, day: from, weekStart }), FIRST_DATE)]
  for (let last = starts[0] ?? 0; last <= to; starts.push(last)) last = calendar.startOf({ unit, day: last, by: 1, weekStart })
  const count = starts.length - 1
  if (count > MAX_PERIODS) {
    failWith([{ pointer: '/interval', code: 'mismatch', message: m.too_many_periods({ count, most: MAX_PERIODS }) }])
  }
  return starts
}

/** Every period after the first together, of the cohorts for which it is over. */
function curve(cohorts: readonly Returns[], isOver: (period: number) => boolean) {
  return cohorts.flatMap((_, index) => {
    const over = cohorts.filter((_, i) => i + index < cohorts.length && isOver(i + index))
    if (over.length === 0) return []
    const base = sum(over, ({ people }) => people)
    const people = sum(over, ({ cells }) => cells[index]?.people ?? 0)
    return [{ index, base, people, percent: shareOf(people, base) }]
  })
}

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((sum, one) => sum + of(one), 0)
const shareOf = (some: number, all: number): number | null => (all === 0 ? null : percentOf(some, all))
const eventGoal = (event: string): Goal => ({ id: '', name: event, kind: 'event', path: null, event, property: null, value: null })
