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
  const { groupOf, rowOf } = alike(of.map(name => lists[name]))
  const sorted = [...rowOf.keys()].sort((a, b) => {
    const [rowA, rowB] = [at(rowOf, a), at(rowOf, b)]
    const differs = of.find(name => lists[name][rowA] !== lists[name][rowB])
    return differs ? at(lists[differs], rowA) - at(lists[differs], rowB) : 0
  })
  const rank = new Uint32Array(sorted.length)
  for (const [place, group] of sorted.entries()) rank[group] = place
  const first = new Uint32Array(sorted.length + 1)
  for (const group of groupOf) first[at(rank, group) + 1] = at(first, at(rank, group) + 1) + 1
  for (let g = 0; g < sorted.length; g++) first[g + 1] = at(first, g) + at(first, g + 1)
  const [order, next] = [new Uint32Array(groupOf.length), first.slice()]
  for (const [row, group] of groupOf.entries()) {
    const place = at(rank, group)
    order[at(next, place)] = row
    next[place] = at(next, place) + 1
  }
  const columns = [
    ...of.map(name => [name, columnOf(sorted.map(group => at(lists[name], at(rowOf, group))))]),
    ...each.map(name => [name, columnOf(Float64Array.from(order, row => at(lists[name], row)))]),
  ]
  return {
    count: order.length,
    first,
    ...(Object.fromEntries(columns) as Record<Of | Each, Column>), // one entry for each name
  }
}

/** Numbers the distinct combinations of values from 0: that of each row, and a row of each. */
function alike(lists: readonly ArrayLike<number>[]): { readonly groupOf: Uint32Array; readonly rowOf: readonly number[] } {
  let groupOf = new Uint32Array(lists[0]?.length ?? 0)
  let rowOf: number[] = groupOf.length === 0 ? [] : [0]
  for (const list of lists) {
    const numbers = new Map<number, number>()
    let max = 0
    for (let row = 0; row < list.length; row++) max = Math.max(max, at(list, row))
    rowOf = []
    groupOf = groupOf.map((group, row) => {
      const both = group * (max + 1) + at(list, row)
      const known = numbers.get(both) ?? numbers.size
      if (known === numbers.size) rowOf.push(row)
      numbers.set(both, known)
      return known
    })
  }
  return { groupOf, rowOf }
}

const at = (numbers: ArrayLike<number>, place: number): number => numbers[place] ?? 0
