/** Lines of the days of a workspace's file: the beginning of a day, or rows of one of its tables. */
import { isObject } from '../../../../runtime/values/json.ts'
import { type DayRows, type Rows, rowsOf } from '../../../../storage/cluster/day-rows.ts'
import { MAX_DAY_MS } from '../../../../storage/hits/days.ts'
import { VISITS_PER_VISITOR } from '../../../../storage/hits/visit-ids.ts'
import { vitalNames } from '../../../../storage/values/web-vitals.ts'
import { DAY_MS } from '../../../../storage/values/durations.ts'
import type { StoredDay } from '../../../../storage/transfer/read-rows.ts'
import { dayFields, type DayTable, dayTables } from '../../../../storage/transfer/workspace-format.ts'
import { type DayPart, noRows } from '../../../../storage/transfer/write-rows.ts'

export type DayLine = { readonly site: number; readonly day: number } & (
  | { readonly begins: StoredDay; readonly table?: undefined }
  | { readonly begins?: undefined; readonly table: DayTable; readonly rows: DayRows; readonly count: number }
)

/** Fields beyond 32 bits. */
const large = new Set(['visit_id', 'started_at', 'revenue', 'attended_at', 'at'])
const flags = new Set(['bounce', 'interactive'])
/** Fields of money and places, which may be below 0. */
const signed = new Set(['revenue', 'x', 'y'])
const MAX_DAY = 100_000

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** @returns undefined if the line is damaged */
export function dayLine(line: unknown, most: number): DayLine | undefined {
  if (!isObject(line)) return undefined
  const { site, day } = line
  if (!isCount(site) || !isCount(day) || day > MAX_DAY) return undefined
  const table = dayTables.find(name => Object.hasOwn(line, name))
  if (table === undefined) {
    const begins = dayIn(line, day)
    return begins && { site, day, begins }
  }
  const fields = line[table]
  if (!isObject(fields)) return undefined
  const own: Record<string, number[]> = {}
  let count: number | undefined
  for (const name of dayFields[table]) {
    const values = fields[name]
    if (!Array.isArray(values) || values.length > most || values.length === 0) return undefined
    count ??= values.length
    if (values.length !== count || !values.every(value => isValue(name, value))) return undefined
    own[name] = values.map(value => (value === null ? Number.NaN : value))
  }
  const rows = Object.fromEntries(dayTables.map(name => [name, name === table ? own : noRows(dayFields[name])]))
  return { site, day, table, rows: rows as unknown as DayRows, count: count ?? 0 } // the fields of each table
}

function dayIn({ starts_at, ends_at, next_visitor, next_loose }: Readonly<Record<string, unknown>>, day: number): StoredDay | undefined {
  if (!isCount(starts_at) || !isCount(ends_at) || !isCount(next_visitor) || !isCount(next_loose)) return undefined
  if (starts_at >= ends_at || ends_at - starts_at > MAX_DAY_MS || next_visitor > 2 ** 31 || next_loose > 2 ** 31) return undefined
  // Local days are at most 14 hours away from the days of UTC.
  if (Math.abs(starts_at - day * DAY_MS) > 2 * DAY_MS) return undefined
  return { day, starts_at, ends_at, next_visitor, next_loose }
}

function isValue(name: string, value: unknown): boolean {
  if (name === 'num') return value === null || (typeof value === 'number' && Number.isFinite(value))
  if (flags.has(name)) return value === 0 || value === 1
  if (name === 'metric') return isCount(value) && value < vitalNames.length
  if (!Number.isSafeInteger(value)) return false
  const number = Number(value)
  return (number >= 0 || signed.has(name)) && (large.has(name) || Math.abs(number) < 2 ** 31)
}

/** Follows the days of a file, so that rows belong to a day and a visit before them. */
export function dayFollower() {
  let current: { site: number; day: number; visits: Set<number>; begins: StoredDay } | undefined
  return {
    /** @returns whether the line fits what came before it */
    fits(line: DayLine): boolean {
      if (line.begins) {
        current = { site: line.site, day: line.day, visits: new Set(), begins: line.begins }
        return true
      }
      if (!current || current.site !== line.site || current.day !== line.day) return false
      const { visits, begins } = current
      const within = (at: number) => at >= begins.starts_at && at < begins.ends_at + MAX_DAY_MS
      const own = line.rows[line.table].visit_id
      if (line.table === 'visits') {
        for (const id of own) {
          if (visits.has(id) || id < VISITS_PER_VISITOR || id >= begins.next_visitor * VISITS_PER_VISITOR) return false
          visits.add(id)
        }
        return line.rows.visits.started_at.every(within)
      }
      const isLoose = line.table === 'vitals' || line.table === 'clicks'
      if (!own.every(id => visits.has(id) || (isLoose && id === 0))) return false
      return line.table !== 'hits' || line.rows.hits.at.every(within)
    },
  }
}

/** The days of lines in their order, each once, with the rows of all its lines. */
export function daysIn(lines: readonly DayLine[]): DayPart[] {
  const days: { site: number; day: number; begins: StoredDay | undefined; parts: DayRows[] }[] = []
  for (const line of lines) {
    let current = days.at(-1)
    if (!current || current.site !== line.site || current.day !== line.day || line.begins) {
      current = { site: line.site, day: line.day, begins: line.begins, parts: [] }
      days.push(current)
    }
    if (line.table) current.parts.push(line.rows)
  }
  return days.map(({ parts, ...day }) => ({ ...day, rows: joined(parts) }))
}

function joined(parts: readonly DayRows[]): DayRows {
  const tables = dayTables.map(table => {
    const some: readonly Rows<string>[] = parts.map(rows => rows[table])
    return [table, rowsOf(dayFields[table], name => some.flatMap(rows => rows[name] ?? []))]
  })
  return Object.fromEntries(tables) as DayRows // the fields of each table
}
