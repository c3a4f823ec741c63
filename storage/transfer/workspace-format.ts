/**
 * The file of a workspace: a zip with a description and one part for each table, of JSON lines. A line is a row, its cells in the
 * order of the columns that the description names. Lines of `days` are the rows of a day, some at a time, as a list for each field.
 */
import { Type, type Static } from '@sinclair/typebox'
import { type DayRows, clickFields, hitFields, propFields, visitFields, vitalFields } from '../cluster/day-rows.ts'

export const FORMAT = 'footfall-workspace'
/** Raised with a change that older versions cannot read. */
export const FORMAT_VERSION = 1

export const descriptionPart = 'footfall.json'
export const partOf = (table: string): string => `${table}.ndjson`
export const daysPart = partOf('days')

export const Description = Type.Object({
  format: Type.Literal(FORMAT),
  format_version: Type.Integer({ minimum: 1 }),
  /** Version and schema of the program that made the file. */
  version: Type.String({ maxLength: 100 }),
  schema: Type.String({ maxLength: 200 }),
  made_at: Type.Integer({ minimum: 0 }),
  workspace: Type.Object({ id: Type.String({ maxLength: 64 }), name: Type.String({ maxLength: 200 }) }),
  columns: Type.Record(Type.String({ maxLength: 60 }), Type.Array(Type.String({ maxLength: 60 }), { maxItems: 100 })),
  left_out: Type.Record(Type.String({ maxLength: 60 }), Type.Integer({ minimum: 0 })),
})
export type Description = Static<typeof Description>

/** The tables of a day's rows, with their fields. Hits come after the visits that they belong to. */
export const dayFields = {
  visits: visitFields,
  hits: hitFields,
  props: propFields,
  vitals: vitalFields,
  clicks: clickFields,
} as const satisfies { [T in keyof DayRows]: readonly (keyof DayRows[T])[] }
export type DayTable = keyof typeof dayFields
export const dayTables = Object.keys(dayFields) as readonly DayTable[] // a literal's own keys

/** Most rows of a day in a line. */
export const ROWS_OF_LINE = 500

/** The lines of the rows of a day, after the line that begins it. */
export function* linesOfDay(rows: DayRows): Generator<{ table: DayTable; count: number; fields: Record<string, (number | null)[]> }> {
  for (const table of dayTables) {
    const all: Readonly<Record<string, readonly number[]>> = rows[table]
    const count = all[dayFields[table][0]]?.length ?? 0
    for (let from = 0; from < count; from += ROWS_OF_LINE) {
      const some = Math.min(ROWS_OF_LINE, count - from)
      const fields = dayFields[table].map(name => [
        name,
        Array.from({ length: some }, (_, i) => {
          const value = all[name]?.[from + i] ?? 0
          return Number.isNaN(value) ? null : value
        }),
      ])
      yield { table, count: some, fields: Object.fromEntries(fields) }
    }
  }
}
