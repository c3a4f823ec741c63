/**
 * The kinds of columns. A declaration made of them gives both the type of a row and the SQL that makes the column. Both
 * engines store them alike: instants are epoch milliseconds, flags 0 or 1, lists and objects JSON text.
 */

/** Types of SQL, which the dialects spell out. */
export type SqlType = 'text' | 'int' | 'bigint' | 'real' | 'blob' | 'serial'

/** A column. @typeParam Value the type of what is read @typeParam IsOptional whether an insert may leave it out */
export interface Column<Value = unknown, IsOptional extends boolean = boolean> {
  readonly type: SqlType
  readonly nullable?: boolean
  readonly unique?: boolean
  readonly default?: string | number
  readonly references?: Reference
  /** Exist only as types. */
  readonly value?: Value
  readonly optional?: IsOptional
}

export interface Reference {
  readonly table: string
  readonly column: string
  /** The effect of deleting the other row: deletes this row, or sets the column to null. */
  readonly onDelete: 'cascade' | 'set null'
}

const kind = <Value>(type: SqlType): Column<Value, false> => Object.freeze({ type })

export const text = kind<string>('text')
/** JSON text. */
export const json = kind<string>('text')
/** A whole number of at most 32 bits. */
export const int = kind<number>('int')
/** 0 or 1. */
export const flag = kind<number>('int')
/** Days since 1970-01-01 in the calendar of the site; UTC if the row belongs to no site. */
export const day = kind<number>('int')
/** A whole number below 2^53. */
export const bigint = kind<number>('bigint')
/** Epoch milliseconds. */
export const instant = kind<number>('bigint')
export const real = kind<number>('real')
export const blob = kind<Uint8Array>('blob')
/** A number that the database gives. */
export const serial: Column<number, true> = Object.freeze({ type: 'serial' })

/** Declares a text that is one of these. */
export const oneOf = <const Value extends string>(..._values: readonly Value[]): Column<Value, false> => kind('text')

export function nullable<Value, IsOptional extends boolean>(column: Column<Value, IsOptional>): Column<Value | null, IsOptional> {
  return Object.freeze({ ...column, nullable: true })
}

export function unique<Value, IsOptional extends boolean>(column: Column<Value, IsOptional>): Column<Value, IsOptional> {
  return Object.freeze({ ...column, unique: true })
}

/** Declares what an insert that leaves the column out stores. A column that is added to a table with rows needs it, or is nullable. */
export function withDefault<Value extends string | number>(column: Column<Value, false>, value: Value): Column<Value, true> {
  const { type, references } = column
  return Object.freeze({ type, ...(references && { references }), default: value })
}

interface ReferenceOptions<Type extends 'text' | 'int'> {
  readonly type?: Type
  readonly onDelete?: Reference['onDelete']
}

/**
 * Declares a foreign key.
 * @param to `sites`, for its `id`; or `uptime_checks.number`
 * @param options.type of the other column; text by default
 * @param options.onDelete `cascade` by default
 */
export function reference<Type extends 'text' | 'int' = 'text'>(
  to: string,
  options: ReferenceOptions<Type> = {},
): Column<Type extends 'int' ? number : string, false> {
  const [table = '', column = 'id'] = to.split('.')
  return Object.freeze({ type: options.type ?? 'text', references: { table, column, onDelete: options.onDelete ?? 'cascade' } })
}
