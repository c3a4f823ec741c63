/** What a sealed day has counted already: its totals, and the sums of every value of its dimensions. */
import { columnOf } from '../columns/column.ts'
import type { DayColumns } from './day.ts'
import { type GroupSums, groupSums, idsOf } from '../columns/group-sums.ts'
import type { Sums } from '../vocabulary/question.ts'
import { scanHits, scanVisits, scanWindows } from '../scan/scan.ts'
import { type SumsName, sumsNumbers } from './sealed-columns.ts'
import { Tally } from './tally.ts'

/**
 * Without conditions. Bounces and duration are those of all visits of a group, of a page those that entered there, as
 * breakdowns count them.
 */
export interface DaySums extends Readonly<Record<SumsName, GroupSums>> {
  readonly totals: Sums
}

export const HOUR_MS = 3_600_000
/** The sums of a day that has all its columns: each is counted when it is first asked for. */
export function sumsOf(day: DayColumns): DaySums {
  const known: Partial<Record<SumsName, GroupSums>> & { totals?: Sums } = {}
  const names = Object.keys(sumsNumbers) as SumsName[] // its keys
  const groups = names.map(name =>
    [name, { enumerable: true, get: () => known[name] ??= ofGroups(counted(name, day)) }])
  const properties = Object.fromEntries(groups) as PropertyDescriptorMap
  const totals = { enumerable: true, get: () => known.totals ??= inAll(day) }
  return Object.defineProperties({}, { ...properties, totals }) as DaySums // a property a name, and the totals
}

/** Of days together. */
export function addedUp(days: readonly GroupSums[]): GroupSums {
  const tally = new Tally(1 + days.reduce((most, sums) => Math.max(most, idsOf(sums).at(-1) ?? 0), 0))
  for (const sums of days) tally.addGroups(sums, null)
  return ofGroups(tally)
}
export function allAddedUp(days: readonly DaySums[]): Sums {
  const tally = new Tally(1)
  for (const { totals } of days) tally.addSums(0, totals)
  return tally.of(0)
}

function inAll(day: DayColumns): Sums {
  const tally = new Tally(1)
  tally.begin(day)
  scanVisits(tally, day, null, null, 0)
  return tally.of(0)
}

function counted(name: SumsName, day: DayColumns): Tally {
  if (name === 'hour') return byHour(day)
  const ids = name === 'page' || name === 'event' ? day.hits[name] : day.visits[name]
  let most = 0
  for (const id of ids) most = Math.max(most, id)
  const tally = new Tally(1 + most, name === 'page' ? 'entered here' : 'all')
  tally.begin(day)
  if (name === 'page' || name === 'event') scanHits(tally, day, null, null, name, null)
  else scanVisits(tally, day, null, null, ids)
  return tally
}

function byHour(day: DayColumns): Tally {
  const hours = Array.from({ length: Math.ceil((day.endsAt - day.startsAt) / HOUR_MS) }, (_, hour) => hour)
  const windows = hours.map(hour => ({ from: hour * HOUR_MS, to: (hour + 1) * HOUR_MS }))
  const tally = new Tally(hours.length)
  tally.begin(day)
  scanWindows(tally, day, null, windows, hours)
  return tally
}

function ofGroups(tally: Tally): GroupSums {
  const visits = tally.column('visits')
  const ids: number[] = []
  for (let group = 0; group < tally.groups; group++) if (visits[group] !== 0) ids.push(group)
  return groupSums(columnOf(ids), name => columnOf(ids.map(id => tally.figure(id, name))))
}
