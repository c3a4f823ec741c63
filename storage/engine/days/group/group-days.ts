/** The days of a group: days of its sites that have the same number and boundaries are one day. */
import { clockTime, localDay } from '../../../calendar/zones.ts'
import type { Member } from '../../vocabulary/scope.ts'
import type { DayBounds } from '../day.ts'
import { viewsOf } from '../recut.ts'
import type { SiteDay } from '../site-days.ts'
import { DAY_MS } from '../../../values/durations.ts'

/** A day of one site in a day of the group. */
export interface Part {
  /** Place in the list of the sites, from 0 on. */
  readonly member: number
  readonly stored: SiteDay
  /** The time of a hit from the start of the day of the group, for its time from the start of the stored day. Null: the same. */
  readonly timeOf: ((at: number) => number) | null
}

export interface GroupDay extends SiteDay {
  /** By site. */
  readonly parts: readonly Part[]
  /** Whether no other day of the group has its number, and all of it counts, so that the cache may have it. */
  readonly isKept: boolean
}

interface Listed extends Part {
  readonly bounds: DayBounds
}

/**
 * @param lists the days of each site
 * @param isClockTime whether days begin at midnight of UTC, as times are clock times of each site
 */
export function groupDays(members: readonly Member[], lists: readonly (readonly SiteDay[])[], isClockTime: boolean): GroupDay[] {
  const together = new Map<string | number, Listed[]>()
  const isOneZone = members.every(({ zone }) => zone === members[0]?.zone)
  for (const [member, { zone, calendar }] of members.entries()) {
    for (const stored of lists[member] ?? []) {
      for (const view of calendar ? viewsOf(stored, calendar) : [stored]) {
        const one = isClockTime
          ? byClock(view, stored, member, zone)
          : { bounds: zoned(view, isOneZone ? undefined : zone), member, stored, timeOf: null }
        const key = one.bounds.cut ? `${member}/${one.bounds.day}/${stored.day}` : keyOf(one.bounds)
        const parts = together.get(key)
        if (parts) parts.push(one)
        else together.set(key, [one])
      }
    }
  }
  const count = new Map<number, number>()
  for (const [first] of together.values()) if (first) count.set(first.bounds.day, (count.get(first.bounds.day) ?? 0) + 1)
  const days: GroupDay[] = []
  for (const parts of together.values()) {
    const [first] = parts
    if (!first) continue
    const { day, startsAt, endsAt, cut, zone } = first.bounds
    days.push({
      ...{ day, startsAt, endsAt, ...(cut && { cut }), ...(zone !== undefined && { zone }) },
      visitors: parts.reduce((sum, { stored }) => sum + stored.visitors, 0),
      rev: revOf(parts, members),
      sealed: !cut && parts.every(({ stored }) => stored.sealed),
      moved: 0,
      parts,
      isKept: !cut && count.get(day) === 1,
    })
  }
  return days.sort((a, b) => a.day - b.day || a.startsAt - b.startsAt || (a.cut?.from ?? 0) - (b.cut?.from ?? 0))
}

const keyOf = ({ day, startsAt, endsAt, zone }: DayBounds): string => `${day}/${startsAt}/${endsAt}/${zone}`

const zoned = ({ day, startsAt, endsAt, cut }: DayBounds, zone: string | undefined): DayBounds => ({
  ...{ day, startsAt, endsAt },
  ...(cut && { cut }),
  ...(zone !== undefined && { zone }),
})

/** A day with the times of the clock of its zone, as if that was UTC. */
function byClock(view: DayBounds, stored: SiteDay, member: number, zone: string): Listed {
  const { day, startsAt, endsAt, cut } = view
  const local = localDay(zone, startsAt)
  const isLocal = !cut && local.day === day && local.startsAt === startsAt && local.endsAt === endsAt
  if (isLocal && endsAt - startsAt === DAY_MS) return { bounds: utcDay(day), member, stored, timeOf: null }
  if (isLocal) {
    const base = day * DAY_MS
    const clock = clockOf(zone, view)
    return { bounds: utcDay(day), member, stored, timeOf: at => Math.min(Math.max(clock(startsAt + at) - base, 0), DAY_MS - 1) }
  }
  const base = clockTime(zone, startsAt)
  const bounds = {
    ...{ day, startsAt: base, endsAt: Math.max(base + 1, clockTime(zone, endsAt)) },
    ...(cut && { cut: { from: clockTime(zone, cut.from), to: clockTime(zone, cut.to - 1) + 1, isLast: cut.isLast } }),
  }
  const clock = clockOf(zone, view)
  return { bounds, member, stored, timeOf: at => clock(startsAt + at) - base }
}

/** The time of the clock at an instant of a day, on which the clock changes at most once. */
function clockOf(zone: string, { startsAt, endsAt }: DayBounds): (at: number) => number {
  const offsetAt = (at: number) => clockTime(zone, at) - at
  let found: { readonly before: number; readonly after: number; readonly changesAt: number } | undefined
  function find() {
    let [low, high] = [startsAt, endsAt - 1]
    const [before, after] = [offsetAt(low), offsetAt(high)]
    while (before !== after && high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (offsetAt(middle) === before) low = middle
      else high = middle
    }
    return { before, after, changesAt: high }
  }
  return at => {
    const { before, after, changesAt } = (found ??= find())
    return at + (at < changesAt ? before : after)
  }
}

const utcDay = (day: number): DayBounds => ({ day, startsAt: day * DAY_MS, endsAt: (day + 1) * DAY_MS })

/** A number that is another one if a day of a site has changed, or another site has a day: a hash of 53 bits. */
function revOf(parts: readonly Part[], members: readonly Member[]): number {
  let [high, low] = [0x811c9dc5, 0x01000193]
  const mix = (n: number) => {
    high = Math.imul(high ^ n, 0x85ebca6b)
    high ^= high >>> 13
    low = Math.imul(low ^ n, 0xc2b2ae35)
    low ^= low >>> 16
  }
  for (const { member, stored } of parts) {
    mix(members[member]?.site ?? 0)
    mix(stored.rev % 2 ** 32)
    mix(Math.floor(stored.rev / 2 ** 32))
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11)
}
