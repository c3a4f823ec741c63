/**
 * Sums of a day without conditions: its totals, and the totals of every value of its dimensions. Sealed days store them; a
 * day from rows computes each on first use. (Every `!` reads inside a column's bounds.)
 */
import { columnOf } from '../columns/column.ts'
import { type GroupSums, groupSums, idsOf } from '../columns/group-sums.ts'
import type { Sums } from '../vocabulary/sums.ts'
import type { DayColumns, DaySums, SumsName } from './day.ts'
import { sumsNumbers } from './sealed-columns.ts'
import { Tally } from './tally.ts'
import { HOUR_MS } from '../../values/durations.ts'

/** The sums of a day with all its columns. */
export function sumsOf(day: DayColumns): DaySums {
  const known: Partial<Record<SumsName, GroupSums>> & { totals?: Sums } = {}
  const names = Object.keys(sumsNumbers) as SumsName[] // the object's own keys
  const groups = names.map(name => [name, { enumerable: true, get: () => (known[name] ??= ofGroups(countedBy(name, day))) }])
  const properties = Object.fromEntries(groups) as PropertyDescriptorMap
  const totals = { enumerable: true, get: () => (known.totals ??= totalsOf(day)) }
  return Object.defineProperties({}, { ...properties, totals }) as DaySums // a property for each name, and the totals
}

/** The place of a site that is not asked about as one of a group. */
const ONLY_SITE = 1

/** The sums of a day by a dimension that has stored ones, or by site. */
export function sumsBy(sums: DaySums, name: SumsName | 'site'): GroupSums {
  if (name !== 'site') return sums[name]
  return sums.site ?? sumsOfSites([{ place: ONLY_SITE, totals: sums.totals }])
}

/** @param all in the order of their places */
export function sumsOfSites(all: readonly { readonly place: number; readonly totals: Sums }[]): GroupSums {
  return groupSums(columnOf(all.map(({ place }) => place)), name => columnOf(all.map(({ totals }) => totals[name])))
}

/** The sums of several days as if they were one day. */
export function addedUp(days: readonly GroupSums[]): GroupSums {
  const tally = new Tally(1 + days.reduce((max, sums) => Math.max(max, idsOf(sums).at(-1) ?? 0), 0))
  for (const sums of days) tally.addGroups(sums, null)
  return ofGroups(tally)
}
/** The sums of several days by group. @param days with the group of each id of the day */
export function groupsAddedUp(days: readonly { readonly sums: GroupSums; readonly groups: ArrayLike<number> }[]): GroupSums {
  const tally = new Tally(1 + days.reduce((max, { groups }) => Math.max(max, highest(groups)), 0))
  for (const { sums, groups } of days) tally.addGroupsTo(groups, sums)
  return ofGroups(tally)
}
export function totalsAddedUp(days: readonly DaySums[]): Sums {
  const tally = new Tally(1)
  for (const { totals } of days) tally.addSums(0, totals)
  return tally.of(0)
}

function totalsOf(day: DayColumns): Sums {
  const { count, pageviews, revenue, purchases } = day.visits
  const tally = new Tally(1)
  tally.begin(day)
  for (let v = 0; v < count; v++) tally.visit(0, v, pageviews[v]!, revenue[v]!, purchases[v]!)
  return tally.of(0)
}

function countedBy(name: SumsName, day: DayColumns): Tally {
  if (name === 'hour') return byHour(day)
  if (name === 'page' || name === 'event') return byHits(name, day)
  const { count, pageviews, revenue, purchases } = day.visits
  const ids = day.visits[name]
  const tally = new Tally(1 + highest(ids))
  tally.begin(day)
  for (let v = 0; v < count; v++) tally.visit(ids[v]!, v, pageviews[v]!, revenue[v]!, purchases[v]!)
  return tally
}

function byHits(name: 'page' | 'event', day: DayColumns): Tally {
  const { count, firstHit } = day.visits
  const { event } = day.hits
  const ids = day.hits[name]
  const ofPages = name === 'page'
  const tally = new Tally(1 + highest(ids), ofPages ? 'entered here' : 'all')
  tally.begin(day)
  for (let v = 0; v < count; v++) {
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if ((event[h] === 0) === ofPages) tally.hit(ids[h]!, v, h)
      else if (ofPages) tally.money(ids[h]!, h)
    }
  }
  return tally
}

function byHour(day: DayColumns): Tally {
  const { count, firstHit } = day.visits
  const { at } = day.hits
  const hours = Math.ceil((day.endsAt - day.startsAt) / HOUR_MS)
  const tally = new Tally(hours)
  tally.begin(day)
  for (let v = 0; v < count; v++) {
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      const hour = Math.floor(at[h]! / HOUR_MS)
      if (hour >= 0 && hour < hours) tally.hit(hour, v, h)
    }
  }
  return tally
}

function highest(ids: ArrayLike<number>): number {
  let max = 0
  for (let i = 0; i < ids.length; i++) max = Math.max(max, ids[i]!)
  return max
}

function ofGroups(tally: Tally): GroupSums {
  const ids: number[] = []
  for (let group = 0; group < tally.groups; group++) if (tally.hasRow(group)) ids.push(group)
  return groupSums(columnOf(ids), name => columnOf(ids.map(id => tally.figure(id, name))))
}
