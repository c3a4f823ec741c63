/**
 * The columns and stored sums that a query reads of a day. Reports declare it before any day is read, so that exactly
 * that is loaded of a sealed day, once.
 */
import { columnNumbers, type ColumnsOf, type DayParts, type PartName, sumsNumbers } from './sealed-columns.ts'
import type { SumsName } from './day.ts'

/** Columns and sums, by their stored numbers. If empty: only the numbers of rows. */
export interface Reads {
  readonly columns: ReadonlySet<number>
  readonly sums: ReadonlySet<number>
}

/** `visits.duration`, `hits.page` … */
export type ColumnName = { [P in PartName]: `${P}.${ColumnsOf<DayParts[P]> & string}` }[PartName]

const numberOf: ReadonlyMap<string, number> = new Map(
  Object.entries(columnNumbers).flatMap(([part, numbers]) =>
    Object.entries(numbers).map(([name, number]) => [`${part}.${name}`, number] as const),
  ),
)

const noNumbers: ReadonlySet<number> = new Set()

/** Only a day's numbers of visits and hits, and its totals. */
export const NO_COLUMNS: Reads = Object.freeze({ columns: noNumbers, sums: noNumbers })

export const columnsRead = (...names: readonly ColumnName[]): Reads => ({
  columns: new Set(names.map(name => numberOf.get(name) ?? unknown(name))),
  sums: noNumbers,
})

function unknown(name: string): never {
  throw new Error(`a day has no column ${name}`)
}

/** @param name `totals` are always loaded, and the totals of the sites of a group */
export const sumsRead = (name: SumsName | 'totals' | 'site'): Reads =>
  name === 'totals' || name === 'site' ? NO_COLUMNS : { columns: noNumbers, sums: new Set([sumsNumbers[name]]) }

/** Combines reads. */
export function allReads(all: readonly Reads[]): Reads {
  const [first, ...others] = all
  if (first && others.length === 0) return first
  const columns = new Set<number>()
  const sums = new Set<number>()
  for (const one of all) {
    for (const number of one.columns) columns.add(number)
    for (const number of one.sums) sums.add(number)
  }
  return { columns, sums }
}
