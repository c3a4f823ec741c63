/** What a sealed day has counted already: its totals, and the sums of every value of its dimensions. */
import { type Column, columnOf } from '../../../storage/sealed/column.ts'
import type { Day } from './day.ts'
import { type Sums, sumNames } from './query.ts'
import { scanHits, scanVisits, scanWindows } from './scan.ts'
import { type SumsName, sumsNumbers } from './sealed-columns.ts'
import { Tally } from './tally.ts'

/** Sums of the groups that had a visit: `visits[i]` are those of the group `ids[i]`. An empty column is all 0. */
export type GroupSums = Readonly<Record<keyof Sums | 'ids', Column>>

/**
 * Without conditions. Bounces and duration are those of all visits of a group, of a page those that entered there, as
 * breakdowns count them.
 */
export interface DaySums extends Readonly<Record<SumsName, GroupSums>> {
  readonly totals: Sums
}

export const HOUR_MS = 3_600_000
/** @param day from its rows */
export function sumUp(day: Day): DaySums {
  const names = Object.keys(sumsNumbers) as SumsName[] // its keys
  const entries = names.map(name => [name, ofGroups(counted(name, day))])
  const all = new Tally(1)
  all.begin(day)
  scanVisits(all, day, null, null, 0)
  return { ...Object.fromEntries(entries) as Record<SumsName, GroupSums>, totals: all.of(0) } // one entry a name
}

function counted(name: SumsName, day: Day): Tally {
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

function byHour(day: Day): Tally {
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
  const columns = sumNames.map(name => {
    const column = tally.column(name)
    return [name, columnOf(ids.map(id => column[id] ?? 0))]
  })
  return { ids: columnOf(ids), ...Object.fromEntries(columns) as Record<keyof Sums, Column> } // one entry a name
}
