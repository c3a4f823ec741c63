/** Resolves the parameters of a report: the range, the conditions, and the `meta` that describes them. */
import { firstVisit } from '../../../storage/hits/first-and-last-visit.ts'
import { failWith, type Fault } from '../../../runtime/table/errors.ts'
import type { Static } from '../../../runtime/table/schema.ts'
import type { Db } from '../../../storage/store.ts'
import { clockTime, dateOf, dayStart, localDay } from '../../../storage/calendar/zones.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import { hasSeveralCurrencies, hasSeveralZones, type LiveSite } from '../../sites/sites/records.ts'
import {
  type Calendar,
  type Condition,
  type Goal,
  leavesOf,
  type Member,
  type Note as EngineNote,
  type Span,
  ZONE_CHANGE_DAYS,
} from '../../../storage/engine/vocabulary/scope.ts'
import { narrowedOf } from '../../../storage/engine/vocabulary/conditions.ts'
import { parseFilters } from '../../sites/segments/index.ts'
import type { ReportMeta } from './records.ts'
import { historyOf, type Imported, included, type Reason } from './imported.ts'
import { dayTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'
import { goalsOf, readSegment, unknownGoals } from './saved.ts'
import { unidentifiedNotes } from './chosen.ts'
import { presentDays } from './present-days.ts'
import { faultsOf, inInput } from './time/faults.ts'
import { localTime } from './time/label.ts'
import { coversWholeDays, type Range } from './time/range.ts'
import { resolveTime, type Time, type TimeInput } from './time/resolve.ts'
import { type Note, noteOf } from './report-notes.ts'

export interface StatsInput extends TimeInput {
  readonly filters?: unknown
  readonly segment_id?: string | undefined
  readonly include_imported?: boolean | undefined
}

export type Meta = Static<typeof ReportMeta>
type AppliedFilter = Meta['filters'][number]

/** `meta` of a report without parameters. */
export const plainMeta = (
  { timezone, currency }: Pick<LiveSite, 'timezone' | 'currency'>,
  notes: readonly (Note | EngineNote)[] = [],
): Meta => ({
  timezone,
  currency,
  filters: [],
  segment: null,
  comparison: null,
  visitors: 'daily_uniques_added_up',
  share_of: null,
  notes: notes.map(noteOf),
})

export interface Applied extends Time {
  readonly site: LiveSite
  readonly where: readonly Condition[]
  readonly goals: readonly Goal[]
  /** Imported history that a report can add; undefined if it was not requested. */
  readonly imported: Imported | undefined
  readonly meta: Meta
  /** Undefined if the days of both ranges are stored with the boundaries of the present time zone. */
  readonly calendar?: Calendar | undefined
  /** The sites of a group; undefined: it is a site. */
  readonly members?: readonly Member[] | undefined
  /** As the engine's `Scope` says. */
  readonly isClockTime: boolean
}

const membersOf = (sites: readonly LiveSite[], calendars: readonly (Calendar | undefined)[]): Member[] =>
  sites.map(({ number, id, timezone }, i) => ({ site: number, id, zone: timezone, calendar: calendars[i] }))

/** The time of the clock where it is latest, so that today is the day that has begun on some site of a group. */
export const latestClock = ({ members = [] }: LiveSite, now: number): number =>
  Math.max(...[...new Set(members.map(({ timezone }) => timezone))].map(zone => clockTime(zone, now)))

/**
 * @param at epoch ms
 * @param alsoWrong faults of parameters that only this report has, so that all are reported at once
 * @throws Failure 422 with every fault
 */
export async function apply(
  db: Db,
  site: LiveSite,
  at: number,
  asked: StatsInput,
  alsoWrong: (goals: readonly Goal[], where: readonly Condition[]) => readonly Fault[] = () => [],
): Promise<Applied> {
  const isClockTime = hasSeveralZones(site) && asked.period !== '24h'
  const now = isClockTime ? latestClock(site, at) : at
  const first = asked.period === 'all' || asked.include_imported ? await firstHit(db, site) : null
  const imported = asked.include_imported ? await historyOf(db, site, first?.day ?? null, narrowing(asked)) : undefined
  const firstHitAt = asked.period === 'all' ? beginning(site, first?.at ?? null, imported) : null
  const time = resolveTime(asked, { zone: site.timezone, now, firstHitAt, weekStart: site.week_start })
  const given = asked.filters ?? []
  const filters = parseFilters(given)
  const [goals, since] = await Promise.all([goalsOf(db, site), firstDay(db, site)])
  const segment = asked.segment_id === undefined ? null : await readSegment(db, site.id, asked.segment_id)
  const applied = segment && 'conditions' in segment ? segment : null
  const where = [...filters.conditions, ...(applied?.conditions ?? [])]
  const segmentFaults = segment && 'code' in segment ? [segment] : []
  failWith([
    ...inInput(faultsOf(time)),
    ...filters.faults,
    ...unknownGoals(filters.conditions, goals),
    ...segmentFaults,
    ...alsoWrong(goals, where),
  ])
  if (!time.ok) throw new Error('a time without faults was not resolved')
  const calendars = await Promise.all((site.members ?? [site]).map(one => calendarOf(db, one, time.value)))
  const cut = (site.members ?? [site]).filter((_, i) => calendars[i])
  const withImports = included({ ...time.value, imported, site }, { able: false })
  return {
    ...time.value,
    site,
    where,
    goals,
    imported,
    isClockTime,
    ...(site.members ? { members: membersOf(site.members, calendars) } : { calendar: calendars[0] }),
    meta: {
      ...plainMeta(site, [
        ...withImports.notes,
        ...beforeData(site, time.value, { since, imported }),
        ...cut.map(cutAnew),
        ...ofGroup(site, isClockTime),
        ...unidentifiedNotes(
          site,
          where.flatMap(leavesOf).map(({ dimension }) => dimension),
        ),
      ]),
      ...(withImports.meta && { imported: withImports.meta }),
      filters: [
        ...appliedFilters('filters', Array.isArray(given) ? given : [], filters.conditions),
        ...appliedFilters('segment', applied?.given ?? [], applied?.conditions ?? []),
      ],
      segment: applied?.shown ?? null,
      comparison: comparedDays(site.timezone, time.value, asked.match_weekday === true),
    },
  }
}

/** Returns the days of the present zone if some of those that the report touches were stored under another one. */
const calendarOf = (db: Db, site: LiveSite, { range, comparison }: Time): Promise<Calendar | undefined> =>
  presentDays(db, site, {
    fromDay: Math.min(range.fromDay, comparison?.fromDay ?? Infinity),
    toDay: Math.max(range.toDay, comparison?.toDay ?? 0),
  })

/** Start of the first stored day, epoch ms; null for a site without data. */
async function firstDay(db: Db, site: LiveSite): Promise<number | null> {
  const sites = site.members ?? [site]
  if (sites.length === 0) return null
  const numbers = sites.map(({ number }) => number)
  const first = db.selectFrom('site_days').where('site_id', 'in', numbers)
  const found = await first.select(['day', 'starts_at']).orderBy('day').limit(1).executeTakeFirst()
  return found === undefined ? null : hasSeveralZones(site) ? found.day * DAY_MS : found.starts_at
}

interface Since {
  readonly since: number | null
  readonly imported: Imported | undefined
}

/** Notes on ranges before the site's data: all of their figures are 0, however they are filtered. */
function beforeData({ timezone }: LiveSite, { range, comparison }: Time, { since, imported }: Since): Note[] {
  const first = Math.min(since ?? Infinity, imported?.days ? dayStart(timezone, imported.days.fromDay) : Infinity)
  if (first === Infinity) return [{ code: 'no_data_yet', message: m.no_data_yet() }]
  const day = dayTerm(dateOf(localDay(timezone, first).day))
  return [
    ...(range.to <= first ? [{ code: 'before_first_day', message: m.before_first_day({ day }) }] : []),
    ...(comparison && comparison.to <= first
      ? [{ code: 'comparison_before_first_day', message: m.comparison_before_first_day({ day }) }]
      : []),
  ]
}

/** Notes on what the sites of a group do not share. */
const ofGroup = (site: LiveSite, isClockTime: boolean): Note[] => [
  ...(isClockTime ? [{ code: 'several_time_zones', message: m.several_time_zones() }] : []),
  ...(hasSeveralCurrencies(site) ? [{ code: 'several_currencies', message: m.several_currencies() }] : []),
]

function cutAnew({ timezone, old_days_before: before, old_days_from: from }: LiveSite): Note {
  const dateIn = (at: number | null) => dayTerm(dateOf(localDay(timezone, at ?? 0).day))
  const params = { until: dateIn(before), timezone }
  return {
    code: 'days_cut_anew',
    message: from === null ? m.days_cut_anew(params) : m.days_cut_anew_from({ ...params, from: dateIn(from) }),
  }
}

/** Filters and segments exclude imported totals, because the totals cannot be filtered. */
function narrowing({ filters, segment_id }: StatsInput): Reason | null {
  if (Array.isArray(filters) && filters.length > 0) return 'filters'
  return segment_id === undefined ? null : 'segment'
}

/** The start of `period=all`, epoch ms; null for a site without data. */
function beginning({ timezone }: LiveSite, firstHitAt: number | null, imported: Imported | undefined): number | null {
  if (!imported?.days || imported.reason) return firstHitAt
  return Math.min(firstHitAt ?? Infinity, dayStart(timezone, imported.days.fromDay))
}

function comparedDays(zone: string, { comparison }: Time, sameWeekday: boolean): Meta['comparison'] {
  if (!comparison) return null
  const { to, fromDay, toDay } = comparison
  const until = to === dayStart(zone, toDay + 1) ? null : localTime(zone, to).slice(11, 16)
  return { from: dateOf(fromDay), to: dateOf(toDay), until, same_weekday: sameWeekday }
}

/** @param conditions parsed conditions, one for each given one */
const appliedFilters = (from: AppliedFilter['from'], given: readonly unknown[], conditions: readonly Condition[]): AppliedFilter[] =>
  conditions.map((condition, i) => ({ condition: given[i], from, narrows: [...narrowedOf(condition)] }))

/**
 * Converts a range, or a point of its series, to a span of the engine. A range up to now includes all hits so far: if the site
 * moved west today, the current day has tomorrow's number.
 */
export function spanOf(zone: string, part: Pick<Range, 'from' | 'to' | 'fromDay' | 'toDay'>, range: Range): Span {
  const { from, to, fromDay, toDay } = part
  const elapsed = range.elapsed && to === range.to
  const whole = coversWholeDays(zone, { ...range, from, to, fromDay, toDay, elapsed })
  return { from, to, fromDay, toDay: elapsed ? toDay + ZONE_CHANGE_DAYS : toDay, whole }
}

/**
 * Returns the day of the first visit, and epoch ms; null before it. If the site changed its time zone, the first day may end, in the new zone,
 * before its first hit: `all` includes that day too.
 */
async function firstHit(db: Db, { number, timezone, members }: LiveSite): Promise<{ day: number; at: number } | null> {
  if (members) {
    const days: number[] = []
    for (const one of members) {
      const first = await firstVisit(db, one.number)
      if (first) days.push(first.day)
    }
    const day = Math.min(...days)
    return days.length === 0 ? null : { day, at: dayStart(timezone, day) }
  }
  const first = await firstVisit(db, number)
  return first && { day: first.day, at: Math.min(first.at, dayStart(timezone, first.day + 1) - 1) }
}
