/** Builds the columns of a day's vitals and clicks from lists of the values of its rows. */
import type { Lists } from './build-day.ts'
import { type Column, columnOf } from '../columns/column.ts'
import type { ClickColumns, VitalColumns } from './day.ts'

const vitalGroups = ['page', 'metric', 'device'] as const
const vitalParts = ['visit', 'value'] as const
const clickGroups = ['page', 'selector'] as const
const clickParts = ['visit', 'x', 'y'] as const

export type VitalLists = Lists<(typeof vitalGroups | typeof vitalParts)[number]>
export type ClickLists = Lists<(typeof clickGroups | typeof clickParts)[number]>

export const vitalsOf = (lists: VitalLists): VitalColumns => grouped(lists, vitalGroups, vitalParts)
export const clicksOf = (lists: ClickLists): ClickColumns => grouped(lists, clickGroups, clickParts)

type Grouped<Of extends string, Each extends string> = { readonly count: number; readonly first: Uint32Array } & Readonly<
  Record<Of | Each, Column>
>

/** @param of columns that define a group; groups are sorted by them */
function grouped<Of extends string, Each extends string>(
  lists: Lists<Of | Each>,
  of: readonly Of[],
  each: readonly Each[],
): Grouped<Of, Each> {
  const groupOf = alike(of.map(name => lists[name]))
  const rows: number[][] = []
  for (let row = 0; row < groupOf.length; row++) (rows[at(groupOf, row)] ??= []).push(row)
  rows.sort(([a = 0], [b = 0]) => {
    const differs = of.find(name => lists[name][a] !== lists[name][b])
    return differs ? at(lists[differs], a) - at(lists[differs], b) : 0
  })
  const first = new Uint32Array(rows.length + 1)
  for (const [g, { length }] of rows.entries()) first[g + 1] = at(first, g) + length
  const order = rows.flat()
  const columns = [
    ...of.map(name => [name, columnOf(rows.map(([row = 0]) => at(lists[name], row)))]),
    ...each.map(name => [name, columnOf(order.map(row => at(lists[name], row)))]),
  ]
  return {
    count: order.length,
    first,
    ...(Object.fromEntries(columns) as Record<Of | Each, Column>), // one entry for each name
  }
}

/** Numbers the distinct combinations of values from 0: the number of each row's combination. */
function alike(lists: readonly (readonly number[])[]): number[] {
  let groups: number[] = Array<number>(lists[0]?.length ?? 0).fill(0)
  for (const list of lists) {
    const numbers = new Map<number, number>()
    const most = list.reduce((most, value) => Math.max(most, value), 0)
    groups = groups.map((group, row) => {
      const both = group * (most + 1) + at(list, row)
      const known = numbers.get(both) ?? numbers.size
      numbers.set(both, known)
      return known
    })
  }
  return groups
}

const at = (numbers: ArrayLike<number>, place: number): number => numbers[place] ?? 0
